import { type ComponentType, useEffect, useState } from 'react';
import { mayBeSignedIn } from '@/lib/stored-session';
import { firstToast } from '@/lib/toast';

/** By then the first rows and pictures have loaded, so the file doesn't compete with them. */
const LOADED_AFTER_MS = 4000;

/**
 * Loads the toaster after the first view, or with the first toast. Forms of an account need it early: without a
 * connection it can't be loaded, and a failed save could not be reported.
 */
export function Toasts() {
  const [loaded, setLoaded] = useState<{ Toaster: ComponentType }>();
  useEffect(() => {
    const load = () => {
      import('@/components/ui/toaster').then(setLoaded).catch(console.warn);
    };
    const timer = setTimeout(load, mayBeSignedIn() ? 0 : LOADED_AFTER_MS);
    void firstToast.then(load);
    return () => clearTimeout(timer);
  }, []);
  return loaded ? <loaded.Toaster /> : null;
}

// Asks before leaving a form with unsaved changes: through a link, Back, or closing the tab. To catch Back, it adds
// another history entry of the same page.
import { useEffect, useRef, useState } from 'react';

interface Leaving {
  go: () => void;
}

const isExtra = () => Boolean(window.history.state?.extra);

export function useLeaveGuard(dirty: boolean) {
  const [leaving, setLeaving] = useState<Leaving>();
  const unsaved = useRef(dirty);
  /** Whether the page is on its extra history entry. */
  const extra = useRef(isExtra());

  useEffect(() => {
    unsaved.current = dirty;
    if (!dirty) return;
    if (!extra.current) addEntry();
    extra.current = true;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [dirty]);

  useEffect(() => {
    const here = window.location.pathname;
    const moved = () => {
      if (window.location.pathname !== here) return;
      if (isExtra()) {
        extra.current = true;
        return;
      }
      if (!extra.current) return;
      if (unsaved.current) {
        addEntry();
        setLeaving({ go: () => window.history.go(-2) });
        return;
      }
      // Everything is saved, so skip the extra entry: Back must not need a second press.
      extra.current = false;
      window.history.back();
    };
    window.addEventListener('popstate', moved);
    return () => window.removeEventListener('popstate', moved);
  }, []);

  return {
    /** The pending navigation; set while the user is asked. */
    leaving,
    leave: (go: () => void) => (dirty ? setLeaving({ go }) : go()),
    stay: () => setLeaving(undefined),
    /** Stops asking, after the user has answered. */
    release: () => {
      unsaved.current = false;
      setLeaving(undefined);
    },
    /** Whether a navigation should replace the extra entry instead of adding another. */
    replace: () => extra.current,
  };
}

function addEntry() {
  window.history.pushState({ ...window.history.state, extra: true }, '', window.location.href);
}

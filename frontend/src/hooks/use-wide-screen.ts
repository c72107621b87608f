import { useSyncExternalStore } from 'react';

/** Where `.l-hide` ends and `.d-only` begins. */
const WIDE = window.matchMedia('(min-width: 1024px)');

function watch(told: () => void) {
  WIDE.addEventListener('change', told);
  return () => WIDE.removeEventListener('change', told);
}

/** For what is too much to make on a phone only to hide it. */
export function useWideScreen(): boolean {
  return useSyncExternalStore(watch, () => WIDE.matches);
}

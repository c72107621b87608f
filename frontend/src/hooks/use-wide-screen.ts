import { useSyncExternalStore } from 'react';

/** Where `.l-hide` ends and `.d-only` begins. */
const wide = () => window.matchMedia('(min-width: 1024px)');

function watch(told: () => void) {
  const query = wide();
  query.addEventListener('change', told);
  return () => query.removeEventListener('change', told);
}

/** The shell is made before the screen is known: it has both, and the style sheet chooses. */
const unknown = () => true;

/** For what is loaded with a page: as it is now. */
export const isWideScreen = () => (typeof window === 'undefined' ? unknown() : wide().matches);

/** For what is too much to make on a phone only to hide it. */
export function useWideScreen(): boolean {
  return useSyncExternalStore(watch, () => wide().matches, unknown);
}

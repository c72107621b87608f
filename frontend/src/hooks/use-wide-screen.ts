import { useSyncExternalStore } from 'react';

/** Must match the CSS breakpoint of `.l-hide` and `.d-only`. */
const wide = () => window.matchMedia('(min-width: 1024px)');

/** Paper is narrow, but shows the same variant as the screen. */
const onPaper = () => window.matchMedia('print').matches;

function watch(onChange: () => void) {
  const query = wide();
  const changed = () => {
    if (!onPaper()) onChange();
  };
  query.addEventListener('change', changed);
  return () => query.removeEventListener('change', changed);
}

/** Prerendering doesn't know the screen width: it renders both variants, and the style sheet hides one. */
const unknown = () => true;

/** The current value, for modules that load with the page. */
export const isWideScreen = () => (typeof window === 'undefined' ? unknown() : wide().matches);

/** For content that is too expensive to render on a phone only to hide it. */
export function useWideScreen(): boolean {
  return useSyncExternalStore(watch, () => wide().matches, unknown);
}

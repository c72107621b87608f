import { useEffect } from 'react';

/** Delays the prefetch until the first view's rows and pictures have loaded. */
const QUIET_MS = 2000;

interface Connection {
  saveData?: boolean;
  effectiveType?: string;
}

/** Skips prefetching on slow or metered connections. */
function isSlowOrMetered(): boolean {
  const { connection } = navigator as Navigator & { connection?: Connection };
  return Boolean(connection?.saveData || connection?.effectiveType?.includes('2g'));
}

const idle = (work: () => void) =>
  'requestIdleCallback' in window ? requestIdleCallback(work) : setTimeout(work, QUIET_MS);

/** Prefetches one file at a time. The browser only caches the files and doesn't run them. */
async function prefetch(files: string[]) {
  for (const href of files) {
    await new Promise((done) => {
      const link = Object.assign(document.createElement('link'), {
        rel: 'prefetch',
        href,
        onload: done,
        onerror: done,
      });
      document.head.append(link);
    });
  }
}

let started = false;

function start() {
  if (started || isSlowOrMetered()) return;
  started = true;
  // Written by the build; the development server has none.
  void fetch('/pages-ahead.json', { priority: 'low' })
    .then((answer): Promise<string[]> => (answer.ok ? answer.json() : Promise.resolve([])))
    .then(prefetch)
    .catch(() => {});
}

/** Prefetches the pages that are likely to be opened next, once the first page is loaded and the browser is idle. */
export function usePagesAhead() {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const wait = () => {
      timer = setTimeout(() => idle(start), QUIET_MS);
    };
    if (document.readyState === 'complete') wait();
    else window.addEventListener('load', wait, { once: true });
    return () => {
      window.removeEventListener('load', wait);
      clearTimeout(timer);
    };
  }, []);
}

const INTENT_EVENTS = ['pointerover', 'touchstart', 'focusin'] as const;

/** Loads a page as soon as its link is hovered, touched or focused, because a click usually follows. */
export function useLinksAhead(load: (path: string) => Promise<void>) {
  useEffect(() => {
    const reach = ({ target }: Event) => {
      const link = target instanceof Element ? target.closest('a') : null;
      // Skip when offline: the browser may cache a failed import.
      if (!link || link.origin !== window.location.origin || !navigator.onLine) return;
      void load(link.pathname);
      if (link.closest('article'))
        import('./card-transition').then(
          ({ morphCards }) => morphCards(load),
          () => {},
        );
    };
    for (const event of INTENT_EVENTS) document.addEventListener(event, reach, { passive: true });
    return () => {
      for (const event of INTENT_EVENTS) document.removeEventListener(event, reach);
    };
  }, [load]);
}

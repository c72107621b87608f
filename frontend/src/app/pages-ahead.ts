import { useEffect } from 'react';

/** Long after the first view: its rows and pictures come first. */
const QUIET = 2000;

interface Connection {
  saveData?: boolean;
  effectiveType?: string;
}

/** Whose line is slow or dear gets only what is asked for. */
function isSparing(): boolean {
  const { connection } = navigator as Navigator & { connection?: Connection };
  return Boolean(connection?.saveData || connection?.effectiveType?.includes('2g'));
}

const idle = (work: () => void) =>
  'requestIdleCallback' in window ? requestIdleCallback(work) : setTimeout(work, QUIET);

/** One after the other and before nothing else: the browser only keeps them, and runs none. */
async function keep(files: string[]) {
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

let begun = false;

function begin() {
  if (begun || isSparing()) return;
  begun = true;
  // Made by the build; the development server has none.
  void fetch('/pages-ahead.json', { priority: 'low' })
    .then((answer): Promise<string[]> => (answer.ok ? answer.json() : Promise.resolve([])))
    .then(keep)
    .catch(() => {});
}

/** Fetches the pages that may be opened next, when the first one is there and nothing else is to do. */
export function usePagesAhead() {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const wait = () => {
      timer = setTimeout(() => idle(begin), QUIET);
    };
    if (document.readyState === 'complete') wait();
    else window.addEventListener('load', wait, { once: true });
    return () => {
      window.removeEventListener('load', wait);
      clearTimeout(timer);
    };
  }, []);
}

const REACHING = ['pointerover', 'touchstart', 'focusin'] as const;

/** Who points at a link, touches it or comes to it by keyboard will mostly open it. */
export function useLinksAhead(load: (path: string) => Promise<void>) {
  useEffect(() => {
    const reach = ({ target }: Event) => {
      const link = target instanceof Element ? target.closest('a') : null;
      // A browser may remember what it could not load.
      if (link && link.origin === window.location.origin && navigator.onLine) void load(link.pathname);
    };
    for (const event of REACHING) document.addEventListener(event, reach, { passive: true });
    return () => {
      for (const event of REACHING) document.removeEventListener(event, reach);
    };
  }, [load]);
}

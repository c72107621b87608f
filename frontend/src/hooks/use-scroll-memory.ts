import { useEffect, useLayoutEffect, useRef } from 'react';
import { useLocation, useNavigationType } from 'react-router';

/** Where each entry of the history was left, for as long as the page lives. */
const places = new Map<string, number>();

/** What comes back from the cache is there at once; what is loaded again may take a moment. */
const PATIENCE = 3000;

/**
 * Back and Forward lead to the place one left. The browser can't do it: it scrolls before the content is there.
 * Says whether this entry's place is known.
 */
export function useScrollMemory(): () => boolean {
  const { key } = useLocation();
  const type = useNavigationType();
  const returned = useRef(false);

  useEffect(() => {
    const byHand = () => {
      window.history.scrollRestoration = 'manual';
    };
    // A page that is loaded anew is the browser's business again.
    const byBrowser = () => {
      window.history.scrollRestoration = 'auto';
    };
    byHand();
    window.addEventListener('pagehide', byBrowser);
    window.addEventListener('pageshow', byHand);
    return () => {
      byBrowser();
      window.removeEventListener('pagehide', byBrowser);
      window.removeEventListener('pageshow', byHand);
    };
  }, []);

  useLayoutEffect(() => {
    const place = type === 'POP' ? places.get(key) : undefined;
    returned.current = place !== undefined;
    const stop = place === undefined ? undefined : scrollWhenThere(place);
    const note = () => places.set(key, window.scrollY);
    if (type !== 'POP') note();
    window.addEventListener('scroll', note, { passive: true });
    // A link that is pressed while the page still rolls is faster than the news of the scrolling.
    window.addEventListener('click', note, { capture: true });
    return () => {
      stop?.();
      window.removeEventListener('scroll', note);
      window.removeEventListener('click', note, { capture: true });
    };
  }, [key, type]);

  return () => returned.current;
}

const HANDS_ON = ['wheel', 'touchstart', 'keydown', 'pointerdown'] as const;

/** Tries until the page is long enough, unless somebody scrolls meanwhile. */
function scrollWhenThere(place: number): () => void {
  const until = performance.now() + PATIENCE;
  let frame = 0;
  const attempt = () => {
    window.scrollTo(0, place);
    const there = Math.abs(window.scrollY - place) < 2;
    if (there || performance.now() > until) stop();
    else frame = requestAnimationFrame(attempt);
  };
  const stop = () => {
    cancelAnimationFrame(frame);
    for (const event of HANDS_ON) window.removeEventListener(event, stop);
  };
  for (const event of HANDS_ON) window.addEventListener(event, stop, { once: true, passive: true });
  attempt();
  return stop;
}

import { useEffect, useLayoutEffect, useRef } from 'react';
import { useLocation, useNavigationType } from 'react-router';

/** The scroll position of each history entry, kept until the page is unloaded. */
const places = new Map<string, number>();

/** How long to wait for content: cached content is available immediately, refetched content may take a moment. */
const RESTORE_TIMEOUT_MS = 3000;

/**
 * Restores the scroll position on Back and Forward. The browser can't, because it scrolls before the content has
 * loaded. Returns whether this entry's position is known.
 */
export function useScrollMemory(): () => boolean {
  const { key } = useLocation();
  const type = useNavigationType();
  const returned = useRef(false);

  useEffect(() => {
    const takeOver = () => {
      window.history.scrollRestoration = 'manual';
    };
    // After a full page load, the browser restores the position itself.
    const handBack = () => {
      window.history.scrollRestoration = 'auto';
    };
    takeOver();
    window.addEventListener('pagehide', handBack);
    window.addEventListener('pageshow', takeOver);
    return () => {
      handBack();
      window.removeEventListener('pagehide', handBack);
      window.removeEventListener('pageshow', takeOver);
    };
  }, []);

  useLayoutEffect(() => {
    const place = type === 'POP' ? places.get(key) : undefined;
    returned.current = place !== undefined;
    const stop = place === undefined ? undefined : scrollWhenThere(place);
    const note = () => places.set(key, window.scrollY);
    if (type !== 'POP') note();
    window.addEventListener('scroll', note, { passive: true });
    // A click during a smooth scroll may navigate before the last scroll event fires.
    window.addEventListener('click', note, { capture: true });
    return () => {
      stop?.();
      window.removeEventListener('scroll', note);
      window.removeEventListener('click', note, { capture: true });
    };
  }, [key, type]);

  return () => returned.current;
}

const USER_INPUT = ['wheel', 'touchstart', 'keydown', 'pointerdown'] as const;

/** Retries until the page is tall enough, unless the user scrolls in the meantime. */
function scrollWhenThere(place: number): () => void {
  const until = performance.now() + RESTORE_TIMEOUT_MS;
  let frame = 0;
  const attempt = () => {
    window.scrollTo(0, place);
    const there = Math.abs(window.scrollY - place) < 2;
    if (there || performance.now() > until) stop();
    else frame = requestAnimationFrame(attempt);
  };
  const stop = () => {
    cancelAnimationFrame(frame);
    for (const event of USER_INPUT) window.removeEventListener(event, stop);
  };
  for (const event of USER_INPUT) window.addEventListener(event, stop, { once: true, passive: true });
  attempt();
  return stop;
}

import { useCallback, useEffect, useState } from 'react';

export const ROTATION_MS = 2800;

function prefersStillness() {
  return window.matchMedia('(prefers-reduced-motion: reduce)').matches;
}

/**
 * Tracks which of `count` panels is open. Rotates automatically and loops. Hover and keyboard focus each pause it; a
 * tap does not, and a manual choice only restarts the interval. Starts paused if reduced motion is preferred.
 */
export function useRotation(count: number) {
  const [active, setActive] = useState(0);
  const [playing, setPlaying] = useState(() => !prefersStillness());
  const { held, hold } = useHold(active);

  // biome-ignore lint/correctness/useExhaustiveDependencies: every change of panel starts a new interval
  useEffect(() => {
    if (!playing || held || count < 2) return;
    const timer = setTimeout(() => setActive((now) => (now + 1) % count), ROTATION_MS);
    return () => clearTimeout(timer);
  }, [playing, held, count, active]);

  const step = useCallback((by: number) => setActive((now) => (now + by + count) % count), [count]);
  return {
    active,
    playing,
    show: setActive,
    next: () => step(1),
    previous: () => step(-1),
    toggle: () => setPlaying((now) => !now),
    hold,
  };
}

function useHold(active: number) {
  const [pointed, setPointed] = useState(false);
  const [focused, setFocused] = useState(false);
  // The focused element may have been removed with the panel that closed, without a blur event.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when another panel opens
  useEffect(() => {
    if (document.activeElement === document.body) setFocused(false);
  }, [active]);
  const point = (over: boolean) => (event: { pointerType: string }) => {
    if (event.pointerType === 'mouse') setPointed(over);
  };
  return {
    held: pointed || focused,
    hold: {
      onPointerEnter: point(true),
      onPointerLeave: point(false),
      onFocus: ({ target }: { target: Element }) => setFocused(target.matches(':focus-visible')),
      onBlur: () => setFocused(false),
    },
  };
}

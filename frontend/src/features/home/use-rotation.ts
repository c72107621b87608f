import { useCallback, useEffect, useState } from 'react';

export const ROTATION_MS = 2800;

function prefersStillness() {
  return window.matchMedia('(prefers-reduced-motion: reduce)').matches;
}

/**
 * Which of `count` panels is open. Turns by itself and loops; `hold` stops it for as long as somebody looks
 * closely, a choice by hand only begins a new interval. Where motion is not wanted it starts paused.
 */
export function useRotation(count: number) {
  const [active, setActive] = useState(0);
  const [playing, setPlaying] = useState(() => !prefersStillness());
  const [held, setHeld] = useState(false);

  // biome-ignore lint/correctness/useExhaustiveDependencies: every change of panel begins a new interval
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
    hold: {
      onMouseEnter: () => setHeld(true),
      onMouseLeave: () => setHeld(false),
      onFocus: () => setHeld(true),
      onBlur: () => setHeld(false),
    },
  };
}

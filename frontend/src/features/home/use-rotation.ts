import { useCallback, useEffect, useState } from 'react';

export const ROTATION_MS = 2800;

function prefersStillness() {
  return window.matchMedia('(prefers-reduced-motion: reduce)').matches;
}

/**
 * Which of `count` panels is open. Turns by itself and loops; the mouse over it and the keyboard's focus in it stop
 * it, each on its own, for as long as they stay. A finger's tap holds nothing, and a choice by hand only begins a new
 * interval. Where motion is not wanted it starts paused.
 */
export function useRotation(count: number) {
  const [active, setActive] = useState(0);
  const [playing, setPlaying] = useState(() => !prefersStillness());
  const { held, hold } = useHold(active);

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
    hold,
  };
}

function useHold(active: number) {
  const [pointed, setPointed] = useState(false);
  const [focused, setFocused] = useState(false);
  // What had the focus may be gone with the panel that closed, and nothing tells that it lost it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another panel is open
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

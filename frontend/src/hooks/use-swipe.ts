import { useRef } from 'react';

/** The minimum distance in pixels; shorter movements are taps. */
const SHORTEST = 40;

interface Finger {
  clientX: number;
  clientY: number;
}

/** Detects horizontal swipes that move further sideways than up or down. A swipe to the left goes to the next item. */
export function useSwipe(next: () => void, previous: () => void) {
  const start = useRef<{ x: number; y: number }>(undefined);
  return {
    onTouchStart: ({ touches }: { touches: ArrayLike<Finger> }) => {
      const finger = touches[0];
      start.current = touches.length === 1 && finger ? { x: finger.clientX, y: finger.clientY } : undefined;
    },
    onTouchEnd: ({ changedTouches }: { changedTouches: ArrayLike<Finger> }) => {
      const finger = changedTouches[0];
      if (!start.current || !finger) return;
      const [right, down] = [finger.clientX - start.current.x, finger.clientY - start.current.y];
      start.current = undefined;
      if (Math.abs(right) < SHORTEST || Math.abs(right) < Math.abs(down)) return;
      if (right < 0) next();
      else previous();
    },
  };
}

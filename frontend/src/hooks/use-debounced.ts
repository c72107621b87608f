import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';

const PAUSE = 300;
/**
 * One or two letters can't use an index and usually start a longer word. Short names such as Ng and Li are still found.
 */
const LONG_PAUSE = 700;
const SHORT = 3;

/** The time to wait for the next letter, in milliseconds. */
export const pauseAfter = (typed: unknown): number =>
  typeof typed === 'string' && typed.trim().length > 0 && typed.trim().length < SHORT ? LONG_PAUSE : PAUSE;

/** Debounces a value. `settle` passes it on immediately; `drop` discards it. */
export function useDebounced<Value>(onSettled: (value: Value) => void) {
  const [waiting, setWaiting] = useState<{ value: Value; pause: number }>();
  const latest = useRef(onSettled);
  useEffect(() => {
    latest.current = onSettled;
  });
  const drop = useCallback(() => setWaiting(undefined), []);
  // A layout effect ends when the page is hidden because the next one is loading. A passive one would keep running,
  // and its change of the URL would navigate back.
  useLayoutEffect(() => {
    if (!waiting) return;
    const timer = setTimeout(() => {
      drop();
      latest.current(waiting.value);
    }, waiting.pause);
    return () => clearTimeout(timer);
  }, [waiting, drop]);
  const hold = (value: Value, pause: number) => setWaiting({ value, pause });
  const settle = () => {
    if (!waiting) return;
    drop();
    onSettled(waiting.value);
  };
  return { held: waiting?.value, hold, settle, drop };
}

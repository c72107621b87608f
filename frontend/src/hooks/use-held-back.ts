import { useCallback, useEffect, useRef, useState } from 'react';

const PAUSE = 300;
/** One or two letters help no index, and mostly begin a longer word; names like Ng and Li are found all the same. */
const LONG_PAUSE = 700;
const SHORT = 3;

/** How long to wait for the next letter. */
export const pauseAfter = (typed: unknown): number =>
  typeof typed === 'string' && typed.trim().length > 0 && typed.trim().length < SHORT ? LONG_PAUSE : PAUSE;

/** Holds a value back until it stands still. `settle` hands it on at once, `drop` not at all. */
export function useHeldBack<Value>(handOn: (value: Value) => void) {
  const [waiting, setWaiting] = useState<{ value: Value; pause: number }>();
  const latest = useRef(handOn);
  useEffect(() => {
    latest.current = handOn;
  });
  const drop = useCallback(() => setWaiting(undefined), []);
  useEffect(() => {
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
    handOn(waiting.value);
  };
  return { held: waiting?.value, hold, settle, drop };
}

import { useEffect, useState } from 'react';

/** The remaining seconds by the clock, so that a suspended tab shows the right value when it resumes. */
export function useCountdown(seconds: number): [left: number, restart: () => void] {
  const [end, setEnd] = useState(() => Date.now() + seconds * 1000);
  const [now, setNow] = useState(() => Date.now());
  const left = Math.max(0, Math.ceil((end - now) / 1000));
  const isOver = left === 0;
  useEffect(() => {
    if (isOver) return;
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [isOver]);
  const restart = () => {
    setEnd(Date.now() + seconds * 1000);
    setNow(Date.now());
  };
  return [left, restart];
}

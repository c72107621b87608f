import { act, renderHook } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { useCountdown } from './use-countdown';

afterEach(() => {
  vi.useRealTimers();
});

it('counts down by the clock, stops at zero, and restarts', () => {
  vi.useFakeTimers();
  const { result } = renderHook(() => useCountdown(60));
  expect(result.current[0]).toBe(60);
  act(() => vi.advanceTimersByTime(18_000));
  expect(result.current[0]).toBe(42);
  // The tab was suspended: no tick for an hour.
  vi.setSystemTime(Date.now() + 3_600_000);
  act(() => vi.advanceTimersByTime(1000));
  expect(result.current[0]).toBe(0);
  expect(vi.getTimerCount()).toBe(0);
  act(() => result.current[1]());
  expect(result.current[0]).toBe(60);
});

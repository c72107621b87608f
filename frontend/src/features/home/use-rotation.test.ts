import { act, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ROTATION_MS, useRotation } from './use-rotation';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const pass = (milliseconds: number) => act(() => vi.advanceTimersByTime(milliseconds));

it('opens the next panel every 2800 ms and loops', () => {
  const { result } = renderHook(() => useRotation(4));
  expect(ROTATION_MS).toBe(2800);
  pass(2799);
  expect(result.current.active).toBe(0);
  pass(1);
  expect(result.current.active).toBe(1);
  for (let turn = 0; turn < 3; turn += 1) pass(2800);
  expect(result.current.active).toBe(0);
});

it('continues after a manual choice, with a full interval', () => {
  const { result } = renderHook(() => useRotation(4));
  pass(2000);
  act(() => result.current.show(2));
  pass(2799);
  expect(result.current.active).toBe(2);
  pass(1);
  expect(result.current.active).toBe(3);
});

const mouse = { pointerType: 'mouse' };
const focusOf = (visible: boolean) => ({ target: { matches: () => visible } as unknown as Element });

it('pauses on hover and can be stopped', () => {
  const { result } = renderHook(() => useRotation(4));
  act(() => result.current.hold.onPointerEnter(mouse));
  pass(9000);
  expect(result.current.active).toBe(0);
  act(() => result.current.hold.onPointerLeave(mouse));
  act(() => result.current.toggle());
  pass(9000);
  expect(result.current.active).toBe(0);
});

it('a tap does not pause it, and neither does the focus that follows', () => {
  const { result } = renderHook(() => useRotation(4));
  act(() => result.current.hold.onPointerEnter({ pointerType: 'touch' }));
  act(() => result.current.hold.onFocus(focusOf(false)));
  pass(2800);
  expect(result.current.active).toBe(1);
});

it('hover and keyboard focus pause it independently', () => {
  const { result } = renderHook(() => useRotation(4));
  act(() => result.current.hold.onFocus(focusOf(true)));
  act(() => result.current.hold.onPointerEnter(mouse));
  act(() => result.current.hold.onPointerLeave(mouse));
  pass(9000);
  expect(result.current.active).toBe(0);
  act(() => result.current.hold.onPointerEnter(mouse));
  act(() => result.current.hold.onBlur());
  pass(9000);
  expect(result.current.active).toBe(0);
  act(() => result.current.hold.onPointerLeave(mouse));
  pass(2800);
  expect(result.current.active).toBe(1);
});

it('a touch that ends does not end a pause by the mouse', () => {
  const { result } = renderHook(() => useRotation(4));
  act(() => result.current.hold.onPointerEnter(mouse));
  act(() => result.current.hold.onPointerLeave({ pointerType: 'touch' }));
  pass(9000);
  expect(result.current.active).toBe(0);
});

it('continues when the focused panel closes', () => {
  const { result } = renderHook(() => useRotation(4));
  act(() => result.current.hold.onFocus(focusOf(true)));
  act(() => result.current.next());
  pass(2800);
  expect(result.current.active).toBe(2);
});

it('starts paused if reduced motion is preferred', () => {
  vi.stubGlobal('matchMedia', () => ({ matches: true }));
  const { result } = renderHook(() => useRotation(4));
  pass(9000);
  expect(result.current).toMatchObject({ active: 0, playing: false });
});

import { fireEvent, render, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { useSwipe } from './use-swipe';

const [next, previous] = [vi.fn(), vi.fn()];

function Place() {
  return <div data-testid="place" {...useSwipe(next, previous)} />;
}

function swipe(from: [number, number], to: [number, number]) {
  next.mockClear();
  previous.mockClear();
  const place = screen.getByTestId('place');
  fireEvent.touchStart(place, { touches: [{ clientX: from[0], clientY: from[1] }] });
  fireEvent.touchEnd(place, { changedTouches: [{ clientX: to[0], clientY: to[1] }] });
  return [next.mock.calls.length, previous.mock.calls.length];
}

it('goes forward on a left swipe and back on a right swipe, and ignores taps and scrolling', () => {
  render(<Place />);
  expect(swipe([200, 100], [120, 110])).toEqual([1, 0]);
  expect(swipe([120, 100], [200, 90])).toEqual([0, 1]);
  expect(swipe([200, 100], [180, 100])).toEqual([0, 0]);
  expect(swipe([200, 100], [140, 300])).toEqual([0, 0]);
});

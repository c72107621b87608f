import { expect, it } from 'vitest';
import { ubin } from './ubin';

it('always gives a record the same pattern, and another record a different one', () => {
  expect(ubin('record-1', 6, 2)).toEqual(ubin('record-1', 6, 2));
  expect(ubin('record-1', 6, 2)).not.toEqual(ubin('record-2', 6, 2));
});

it('never draws a figure in the color of its ground', () => {
  for (const tile of ubin('any', 20, 4)) expect(tile.figure).not.toBe(tile.ground);
});

import { expect, it } from 'vitest';
import { positionOf } from './crop';

const wide = { naturalWidth: 4000, naturalHeight: 500 };

it.each([
  [0, 0],
  [1000, 50],
  [2000, 100],
])('an area that starts at pixel %i is %i percent across', (x, across) => {
  expect(positionOf({ x, y: 0, width: 2000, height: 500 }, wide)).toEqual({ across, down: 50 });
});

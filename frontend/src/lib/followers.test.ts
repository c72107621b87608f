import { expect, it } from 'vitest';
import { shortCount } from './followers';

it.each([
  [0, '0'],
  [999, '999'],
  [1_000, '1K'],
  [1_250, '1.2K'],
  [64_900, '64K'],
  [999_999, '999K'],
  [1_000_000, '1M'],
  [2_560_000, '2.5M'],
  [10_000_000, '10M'],
])('%i is shown as %s', (count, text) => {
  expect(shortCount(count)).toBe(text);
});

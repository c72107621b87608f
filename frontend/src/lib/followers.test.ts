import { expect, it } from 'vitest';
import { audienceLabel, shortCount } from './followers';

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
])('shows %i as %s', (count, text) => {
  expect(shortCount(count)).toBe(text);
});

it.each([
  [undefined, '<500'],
  [null, '<500'],
  ['', '<500'],
  ['none yet', '<500'],
  [499, '<500'],
  [500, '1K+'],
  [4_999, '1K+'],
  [5_000, '5K+'],
  [9_999, '5K+'],
  [10_000, '10K+'],
  [49_999, '10K+'],
  [50_000, '50K+'],
  [99_999, '50K+'],
  [100_000, '100K+'],
  [499_999, '100K+'],
  [500_000, '500K+'],
  [999_999, '500K+'],
  [1_000_000, '1M+'],
  [4_999_999, '1M+'],
  [5_000_000, '5M+'],
  [9_999_999, '5M+'],
  [10_000_000, '10M+'],
  ['1,200 followers', '1K+'],
  ['12 000', '10K+'],
])('labels an audience of %s as %s', (audience, label) => {
  expect(audienceLabel(audience)).toBe(label);
});

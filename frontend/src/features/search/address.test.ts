import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PLATFORMS } from '@/lib/platforms';
import { filtersFrom, paramsFrom } from './address';
import { chipsOf, without } from './chips';
import { type Filters, FOLLOWER_STEP, NO_FILTERS, type Range } from './filters';
import { BADGES, FOLLOWER_RANGES, INDUSTRIES } from './options';

const read = (text: string) => filtersFrom(new URLSearchParams(text));

const range = (least: number, most: number, step: number) =>
  fc
    .tuple(fc.integer({ min: least / step, max: most / step }), fc.integer({ min: least / step, max: most / step }))
    .map(([one, other]): Range => [Math.min(one, other) * step, Math.max(one, other) * step]);
const chosen = (names: readonly string[]) => fc.constantFrom('', ...names);

const anyFilters: fc.Arbitrary<Filters> = fc.record({
  q: fc.string({ unit: 'grapheme' }),
  category: chosen(['Fashion', 'Tech']),
  industry: chosen(INDUSTRIES),
  platform: fc.constantFrom('' as const, ...PLATFORMS),
  followers: range(0, 10_000_000, FOLLOWER_STEP),
  instagram: chosen(FOLLOWER_RANGES.map(({ value }) => value)),
  tiktok: chosen(FOLLOWER_RANGES.map(({ value }) => value)),
  age: fc.option(range(18, 60, 1)),
  location: fc.string(),
  language: chosen(['English']),
  ethnicity: chosen(['Iban', 'Orang Ulu']),
  badge: chosen(BADGES),
});

describe('the URL', () => {
  it('is empty without filters', () => {
    expect(paramsFrom(NO_FILTERS).toString()).toBe('');
    expect(read('')).toEqual(NO_FILTERS);
  });

  it('stores every filter and reads it back', () => {
    fc.assert(
      fc.property(anyFilters, (filters) => {
        expect(read(paramsFrom(filters).toString())).toEqual(filters);
      }),
    );
  });

  it('keeps other parameters, and replaces previous filters', () => {
    const now = new URLSearchParams('tab=events&q=old&badge=Gold');
    expect(paramsFrom({ ...NO_FILTERS, q: 'new' }, now).toString()).toBe('tab=events&q=new');
  });

  it('ignores invalid parameters', () => {
    expect(read('platform=myspace&age=60-18&followers=lots&instagram=3-7')).toEqual(NO_FILTERS);
    expect(read('age=1-999').age).toEqual([18, 60]);
  });

  it.each(['All', 'all', 'All Industries', 'All Types'])('treats %s as no filter', (all) => {
    expect(read(`category=${all}&industry=${all}&ethnicity=${all}`)).toEqual(NO_FILTERS);
    expect(read('q=All').q).toBe('All');
  });
});

describe('chips', () => {
  it('name each applied filter, except the text and the category row', () => {
    const filters: Filters = {
      ...NO_FILTERS,
      q: 'x',
      category: 'Tech',
      followers: [10_000, 10_000_000],
      tiktok: '10000000-999999999',
      age: [20, 40],
      badge: 'Gold',
    };
    const labels = ['10K+ on Instagram', '10M+ on TikTok', 'Age 20 – 40', 'Gold badge'];
    expect(chipsOf(filters).map(({ label }) => label)).toEqual(labels);
  });

  it('remove their filters one by one, leaving only the text and the category row', () => {
    fc.assert(
      fc.property(anyFilters, (filters) => {
        const left = chipsOf(filters).reduce(without, filters);
        expect(chipsOf(left)).toEqual([]);
        expect(left.q).toBe(filters.q);
      }),
    );
  });
});

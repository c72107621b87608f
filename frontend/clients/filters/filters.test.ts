import fc from 'fast-check';
import { test as base, expect } from 'vitest';
import { allRows, type Table } from '../../e2e/strange-rows';
import { type GridQuery, HOME_SIZE, newestOf } from '../../src/features/home/grid';
import {
  applyFilters,
  type Filterable,
  type Filters,
  type Range,
  type Screen,
} from '../../src/features/search/filters';
import { FOLLOWER_RANGES } from '../../src/features/search/options';
import {
  applyBusinessFilters,
  type Filterable as BusinessFilterable,
  type BusinessFilters,
} from '../../src/lib/business-filters';
import { CATEGORIES } from '../../src/lib/kinds';
import { type Answer, type Client, visitorClient, wholeList } from './gateway';
import { type BusinessRow, businessFits, type InfluencerRow, influencerFits } from './reference';

// Each screen's query, through the gateway and a page at a time, against the plain filter over all rows.

const database = process.env.DB_URL ?? '';
const test = base.skipIf(!database);

const RUNS = 150;
/** So many of them have to find something, and leave something out: else the comparison says little. */
const TELLING = RUNS / 5;

interface Comparison<Row, Chosen> {
  table: Table;
  filters: (rows: Row[]) => fc.Arbitrary<Chosen>;
  asked: (client: Client, filters: Chosen) => Promise<Answer>;
  fits: (row: Row, filters: Chosen) => boolean;
  /** Where no more are shown than these. */
  most?: number;
}

const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

async function compare<Row extends { id: string }, Chosen>(client: Client, with_: Comparison<Row, Chosen>) {
  let rows = await allRows<Row>(database, with_.table);
  let telling = 0;
  const expected = (filters: Chosen): Answer => {
    const ids = rows
      .filter((row) => with_.fits(row, filters))
      .map(({ id }) => id)
      .slice(0, with_.most);
    return { ids, total: ids.length };
  };
  await fc.assert(
    fc.asyncProperty(with_.filters(rows), async (filters) => {
      let answer = await with_.asked(client, filters);
      // Another test may be changing profiles: what is asked while all of them stand still counts.
      for (let still = false; !still && !same(answer, expected(filters)); ) {
        rows = await allRows<Row>(database, with_.table);
        answer = await with_.asked(client, filters);
        still = same(await allRows<Row>(database, with_.table), rows);
      }
      expect(answer).toEqual(expected(filters));
      if (answer.total > 0 && answer.total < rows.length) telling += 1;
    }),
    { numRuns: RUNS },
  );
  expect(telling).toBeGreaterThan(TELLING);
}

/** A piece of something that is there, in any case, or something made of what filters stumble over. */
function typedText(values: (string | null)[]): fc.Arbitrary<string> {
  const there = [...new Set(values.filter((value): value is string => Boolean(value)))];
  const piece = fc
    .tuple(fc.constantFrom(...there), fc.nat(40), fc.integer({ min: 1, max: 8 }), fc.boolean())
    .map(([value, start, length, upper]) => {
      const letters = [...value];
      const part = letters.slice(start % letters.length, (start % letters.length) + length).join('');
      return upper ? part.toUpperCase() : part.toLowerCase();
    });
  const strange = fc.string({
    unit: fc.constantFrom('a', 'L', ' ', '%', '_', '*', ',', '.', ':', '(', ')', '"', "'", '\\', 'é'),
    maxLength: 4,
  });
  return fc.oneof({ weight: 4, arbitrary: piece }, { weight: 1, arbitrary: strange });
}

/** Mostly not filtered: many filters at once find nothing. */
const seldom = <Value>(filtered: fc.Arbitrary<Value>, none: Value): fc.Arbitrary<Value> =>
  fc.oneof({ weight: 4, arbitrary: fc.constant(none) }, { weight: 1, arbitrary: filtered });

const pair = (values: readonly number[]): fc.Arbitrary<Range> =>
  fc
    .tuple(fc.constantFrom(...values), fc.constantFrom(...values))
    .map(([one, other]): Range => [Math.min(one, other), Math.max(one, other)]);

const choice = (...values: string[]) => seldom(fc.constantFrom(...values), '');
const followerRange = seldom(fc.constantFrom(...FOLLOWER_RANGES.map(({ value }) => value as string)), '');

const influencerFilters = (rows: InfluencerRow[]): fc.Arbitrary<Filters> =>
  fc.record({
    q: seldom(typedText(rows.flatMap(({ name, username, category }) => [name, username, category])), ''),
    category: choice('Fashion', 'Tech', 'Beauty', 'Travel'),
    industry: choice('Fashion', 'Food', 'Beauty', 'Travel'),
    platform: fc.constantFrom(
      'instagram' as const,
      'tiktok' as const,
      'youtube' as const,
      'twitter' as const,
      '' as const,
    ),
    followers: seldom(pair([0, 10_000, 20_000, 100_000, 1_000_000, 5_000_000, 10_000_000]), [0, 10_000_000]),
    instagram: followerRange,
    tiktok: followerRange,
    age: seldom(pair([18, 19, 20, 30, 45, 59, 60]), null),
    location: seldom(typedText(rows.map(({ location }) => location)), ''),
    language: choice('English', 'Chinese', 'Other'),
    ethnicity: choice('Malay', 'Iban', 'Mixed', 'Indian'),
    badge: choice('No Verification', 'Blue', 'Gold', 'Platinum'),
  });

for (const [path, screen] of [
  ['/search', 'search'],
  ['/search/influencers', 'influencers'],
  ['/explore', 'explore'],
] as const satisfies [string, Screen][]) {
  test(`${path} finds what the specification's filter finds`, async () => {
    await compare<InfluencerRow, Filters>(await visitorClient(), {
      table: 'influencers',
      filters: influencerFilters,
      asked: (client, filters) =>
        wholeList<Filterable<never>>(client, 'influencers', (query) => applyFilters(query, filters, screen)),
      fits: (row, filters) => influencerFits(row, filters, screen),
    });
  });
}

for (const [table, types] of [
  ['agencies', ['Marketing', 'PR', 'Talent Search']],
  ['vendors', ['Equipment', 'Services', 'Catering', 'Production', 'Technical']],
] as const) {
  test(`/search/${table} finds what the specification's filter finds`, async () => {
    await compare<BusinessRow, BusinessFilters>(await visitorClient(), {
      table,
      filters: (rows) =>
        fc.record({
          q: seldom(typedText(rows.flatMap((row) => [row.name, row.company_name, row.description])), ''),
          type: choice(...types),
          location: seldom(typedText(rows.map(({ location }) => location)), ''),
        }),
      asked: (client, filters) =>
        wholeList<BusinessFilterable<never>>(client, table, (query) => applyBusinessFilters(query, filters)),
      fits: businessFits,
    });
  });
}

test('the categories of the home page hold the newest of theirs', async () => {
  await compare<InfluencerRow, string>(await visitorClient(), {
    table: 'influencers',
    filters: (rows) => fc.constantFrom('All', ...CATEGORIES, ...rows.map(({ category }) => category)),
    asked: async (client, category) => {
      const all = client.from('influencers').select('id');
      const asked = newestOf(all as unknown as GridQuery<never>, category) as unknown as typeof all;
      const { data, error } = await asked;
      expect(error).toBeNull();
      const ids = (data ?? []).map(({ id }) => id as string);
      return { ids, total: ids.length };
    },
    fits: (row, category) => row.approved && (category === 'All' || row.category === category),
    most: HOME_SIZE,
  });
});

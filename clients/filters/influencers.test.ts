// The screens that list influencers.

import fc from 'fast-check';
import { expect } from 'vitest';
import { type GridQuery, HOME_ROWS, newestOf } from '../../frontend/src/features/home/grid';
import { applyFilters, type Filters, type Range, type Screen } from '../../frontend/src/features/search/filters';
import { FOLLOWER_RANGES } from '../../frontend/src/features/search/options';
import { CATEGORIES } from '../../frontend/src/lib/kinds';
import { choice, compare, seldom, test, typedText } from './compare';
import { visitorClient, wholeList } from './gateway';
import { type InfluencerRow, influencerFits } from './reference';

const pair = (values: readonly number[]): fc.Arbitrary<Range> =>
  fc
    .tuple(fc.constantFrom(...values), fc.constantFrom(...values))
    .map(([one, other]): Range => [Math.min(one, other), Math.max(one, other)]);

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
      asked: (client, filters) => wholeList(client, 'influencers', (query) => applyFilters(query, filters, screen)),
      fits: (row, filters) => influencerFits(row, filters, screen),
    });
  });
}

test('each category on the home page shows its newest influencers', async () => {
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
    most: HOME_ROWS,
  });
});

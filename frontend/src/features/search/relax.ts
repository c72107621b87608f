import { AGE_RANGE, type Filters, FOLLOWER_RANGE, isWhole } from './filters';

/** In the order of the filter panel. */
const NAMES = [
  ['category', 'the category'],
  ['industry', 'the industry'],
  ['followers', 'the follower range'],
  ['instagram', 'the Instagram range'],
  ['tiktok', 'the TikTok range'],
  ['age', 'the age range'],
  ['location', 'the location'],
  ['language', 'the language'],
  ['ethnicity', 'the ethnicity'],
  ['badge', 'the badge'],
] as const satisfies [keyof Filters, string][];

function isSet(filters: Filters, key: (typeof NAMES)[number][0]): boolean {
  if (key === 'followers') return filters.platform !== '' && !isWhole(filters.followers, FOLLOWER_RANGE);
  if (key === 'age') return filters.age !== null && !isWhole(filters.age, AGE_RANGE);
  return filters[key] !== '';
}

const EITHER = new Intl.ListFormat('en', { type: 'disjunction' });

/** What to change when nothing matches: names only what is set. */
export function relaxation(filters: Filters): string {
  const set = NAMES.filter(([key]) => isSet(filters, key)).map(([, name]) => name);
  const removal = set.length > 0 ? `Remove ${EITHER.format(set)}.` : '';
  const spelling = filters.q.trim() ? 'Check the spelling, or try a shorter name.' : '';
  return [spelling, removal].filter(Boolean).join(' ') || 'Check back soon.';
}

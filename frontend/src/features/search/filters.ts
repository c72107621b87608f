// What can be filtered on /search, how it stands in the address, and what the database is asked.
import { PLATFORM_NAMES, PLATFORMS, type Platform, shortCount } from '@/lib/followers';

export const INDUSTRIES = [
  'Fashion',
  'Beauty',
  'Fitness',
  'Health',
  'Food',
  'Travel',
  'Lifestyle',
  'Tech',
  'Gaming',
  'Business',
  'Finance',
  'Entertainment',
  'Education',
  'Sports',
] as const;
export const ETHNICITIES = ['Asian', 'Caucasian', 'Hispanic', 'African', 'Indian', 'Mixed', 'Other'] as const;
export const BADGES = ['No Verification', 'Blue', 'Gold', 'Platinum'] as const;

export const AGE_RANGE = [18, 60] as const;
export const FOLLOWER_RANGE = [0, 10_000_000] as const;
export const FOLLOWER_STEP = 10_000;

export interface Filters {
  q: string;
  industry: string;
  platform: Platform;
  followers: readonly [number, number];
  age: readonly [number, number];
  location: string;
  language: string;
  ethnicity: string;
  badge: string;
}

export const NO_FILTERS: Filters = {
  q: '',
  industry: '',
  platform: 'instagram',
  followers: FOLLOWER_RANGE,
  age: AGE_RANGE,
  location: '',
  language: '',
  ethnicity: '',
  badge: '',
};

function rangeFrom(text: string | null, [least, most]: readonly [number, number]): readonly [number, number] {
  const match = /^(\d+)-(\d+)$/.exec(text ?? '');
  if (!match) return [least, most];
  const clamp = (value: string | undefined) => Math.min(most, Math.max(least, Number(value)));
  const [low, high] = [clamp(match[1]), clamp(match[2])];
  return low <= high ? [low, high] : [least, most];
}

/** Reads the address; what it does not understand counts as not filtered. */
export function filtersFrom(params: URLSearchParams): Filters {
  const platform = params.get('platform') as Platform | null;
  return {
    q: params.get('q') ?? '',
    industry: params.get('industry') ?? '',
    platform: platform && PLATFORMS.includes(platform) ? platform : 'instagram',
    followers: rangeFrom(params.get('followers'), FOLLOWER_RANGE),
    age: rangeFrom(params.get('age'), AGE_RANGE),
    location: params.get('location') ?? '',
    language: params.get('language') ?? '',
    ethnicity: params.get('ethnicity') ?? '',
    badge: params.get('badge') ?? '',
  };
}

const isWhole = (range: readonly [number, number], whole: readonly [number, number]) =>
  range[0] === whole[0] && range[1] === whole[1];

/** Writes only what differs from the default, so that a shared address is short. */
export function paramsFrom(filters: Filters): URLSearchParams {
  const params = new URLSearchParams();
  for (const key of ['q', 'industry', 'location', 'language', 'ethnicity', 'badge'] as const) {
    if (filters[key]) params.set(key, filters[key]);
  }
  if (filters.platform !== NO_FILTERS.platform) params.set('platform', filters.platform);
  if (!isWhole(filters.followers, FOLLOWER_RANGE)) params.set('followers', filters.followers.join('-'));
  if (!isWhole(filters.age, AGE_RANGE)) params.set('age', filters.age.join('-'));
  return params;
}

export interface Chip {
  key: keyof Filters;
  label: string;
}

/** One removable chip per applied filter; the search text has its own field. */
export function chipsOf(filters: Filters): Chip[] {
  const chips: Chip[] = [];
  if (filters.industry) chips.push({ key: 'industry', label: filters.industry });
  if (!isWhole(filters.followers, FOLLOWER_RANGE)) {
    chips.push({ key: 'followers', label: `${rangeLabel(filters.followers)} on ${PLATFORM_NAMES[filters.platform]}` });
  }
  if (!isWhole(filters.age, AGE_RANGE)) chips.push({ key: 'age', label: `Age ${filters.age[0]}–${filters.age[1]}` });
  if (filters.location) chips.push({ key: 'location', label: filters.location });
  if (filters.language) chips.push({ key: 'language', label: filters.language });
  if (filters.ethnicity) chips.push({ key: 'ethnicity', label: filters.ethnicity });
  if (filters.badge)
    chips.push({ key: 'badge', label: filters.badge === 'No Verification' ? filters.badge : `${filters.badge} badge` });
  return chips;
}

export function rangeLabel([low, high]: readonly [number, number]): string {
  if (high === FOLLOWER_RANGE[1] && low > 0) return `${shortCount(low)}+`;
  return `${shortCount(low)} – ${shortCount(high)}`;
}

/** The part of a postgrest-js query that filters use. */
export interface Filterable<Query> {
  eq(column: string, value: string | boolean): Query;
  gte(column: string, value: number): Query;
  lte(column: string, value: number): Query;
  ilike(column: string, pattern: string): Query;
  or(filters: string): Query;
}

/** `%`, `_` and `\` of a typed text stand for themselves; so does `*`, PostgREST's own spelling of `%`. */
export function likePattern(text: string): string {
  return `%${text.replace(/[\\%_]/g, (letter) => `\\${letter}`).replaceAll('*', '_')}%`;
}

/** Quotes a value inside `or=(…)`, where commas, dots and brackets have a meaning. */
export function quoted(value: string): string {
  return `"${value.replace(/["\\]/g, (letter) => `\\${letter}`)}"`;
}

/** Section 5 of the specification, computed by the database. Here a missing age is never filtered out. */
export function applyFilters<Query extends Filterable<Query>>(query: Query, filters: Filters): Query {
  let result = query.eq('approved', true);
  const text = filters.q.trim();
  if (text) {
    const pattern = quoted(likePattern(text));
    result = result.or(`name.ilike.${pattern},username.ilike.${pattern},category.ilike.${pattern}`);
  }
  if (filters.industry) result = result.eq('category', filters.industry);
  if (filters.location.trim()) result = result.ilike('location', likePattern(filters.location.trim()));
  if (filters.language) result = result.eq('language', filters.language);
  if (filters.ethnicity) result = result.eq('ethnicity', filters.ethnicity);
  if (filters.badge)
    result = result.eq('badge_type', filters.badge === 'No Verification' ? 'none' : filters.badge.toLowerCase());
  const count = `${filters.platform}_followers_count`;
  if (filters.followers[0] > FOLLOWER_RANGE[0]) result = result.gte(count, filters.followers[0]);
  if (filters.followers[1] < FOLLOWER_RANGE[1]) result = result.lte(count, filters.followers[1]);
  const [youngest, oldest] = filters.age;
  if (!isWhole(filters.age, AGE_RANGE)) {
    result = result.or(`age.is.null,and(age.gte.${youngest},age.lte.${oldest})`);
  }
  return result;
}

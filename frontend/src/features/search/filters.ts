// The filters of the three influencer lists, and the database queries for them. Section 5 of the specification
// describes them for a fully loaded list; the database gives the same results one page at a time.
import { PLATFORMS, type Platform } from '@/lib/platforms';
import { containsAny, searchedText } from '@/lib/text-match';

export const AGE_RANGE = [18, 60] as const;
export const FOLLOWER_RANGE = [0, 10_000_000] as const;
export const FOLLOWER_STEP = 10_000;

export type Range = readonly [number, number];

/** An empty string means "All …": no filter. */
export interface Filters {
  q: string;
  /** The category row. */
  category: string;
  industry: string;
  /** Without a platform, follower counts are not compared. */
  platform: Platform | '';
  followers: Range;
  /** 'min-max', one of the follower ranges. */
  instagram: string;
  tiktok: string;
  /** Null until the slider was moved or applied. */
  age: Range | null;
  location: string;
  language: string;
  ethnicity: string;
  badge: string;
}

export const NO_FILTERS: Filters = {
  q: '',
  category: '',
  industry: '',
  platform: 'instagram',
  followers: FOLLOWER_RANGE,
  instagram: '',
  tiktok: '',
  age: null,
  location: '',
  language: '',
  ethnicity: '',
  badge: '',
};

/** The lists differ only in how they treat a missing age. */
export type Screen = 'search' | 'influencers' | 'explore';

export const isWhole = (range: Range, whole: Range) => range[0] === whole[0] && range[1] === whole[1];

const PANEL = ['industry', 'instagram', 'tiktok', 'location', 'language', 'ethnicity', 'badge'] as const;

/** Whether any filter of the panel is applied. The search text and the category row are not part of the panel. */
export const isApplied = (filters: Filters): boolean =>
  filters.age !== null ||
  filters.platform !== NO_FILTERS.platform ||
  !isWhole(filters.followers, FOLLOWER_RANGE) ||
  PANEL.some((key) => filters[key] !== '');

/** The age range to query, and whether to include profiles without an age. Undefined if ages don't matter. */
export function agesOf(filters: Filters, screen: Screen): { ages: Range; unknownToo: boolean } | undefined {
  const ages = filters.age ?? AGE_RANGE;
  if (screen === 'explore') return isApplied(filters) ? { ages, unknownToo: false } : undefined;
  return isWhole(ages, AGE_RANGE) ? undefined : { ages, unknownToo: screen === 'search' };
}

/** The subset of postgrest-js query methods that filters use. */
export interface Filterable {
  eq(column: string, value: string | boolean): this;
  gte(column: string, value: number): this;
  lte(column: string, value: number): this;
  or(filters: string): this;
}

export function applyFilters<Query extends Filterable>(query: Query, filters: Filters, screen: Screen): Query {
  // Row-level security hides other profiles from visitors anyway; the explicit condition lets PostgreSQL use the
  // partial index of approved profiles.
  let result = query.eq('approved', true);
  const text = searchedText(filters.q);
  if (text) result = result.or(containsAny(['name', 'username', 'category'], text));
  if (filters.category) result = result.eq('category', filters.category);
  if (filters.industry) result = result.eq('category', filters.industry);
  const location = searchedText(filters.location);
  if (location) result = result.or(containsAny(['location'], location));
  if (filters.language) result = result.eq('language', filters.language);
  if (filters.ethnicity) result = result.eq('ethnicity', filters.ethnicity);
  if (filters.badge) result = result.eq('badge_type', badgeType(filters.badge));
  for (const [column, least, most] of followerBounds(filters)) {
    if (least !== undefined) result = result.gte(column, least);
    if (most !== undefined) result = result.lte(column, most);
  }
  const age = agesOf(filters, screen);
  if (age?.unknownToo) return result.or(`age.is.null,and(age.gte.${age.ages[0]},age.lte.${age.ages[1]})`);
  return age ? result.gte('age', age.ages[0]).lte('age', age.ages[1]) : result;
}

function badgeType(badge: string): string {
  const name = badge.toLowerCase();
  return name === 'no verification' ? 'none' : name;
}

/** The slider's ends are open: 10M means 10M and more. A range from the list has two fixed ends. */
function followerBounds(filters: Filters): [column: string, least: number | undefined, most: number | undefined][] {
  const bounds: ReturnType<typeof followerBounds> = [];
  if (filters.platform) {
    const [least, most] = filters.followers;
    bounds.push([
      `${filters.platform}_followers_count`,
      least > FOLLOWER_RANGE[0] ? least : undefined,
      most < FOLLOWER_RANGE[1] ? most : undefined,
    ]);
  }
  for (const platform of PLATFORMS) {
    if (platform !== 'instagram' && platform !== 'tiktok') continue;
    const range = /^(\d+)-(\d+)$/.exec(filters[platform]);
    if (range) bounds.push([`${platform}_followers_count`, Number(range[1]), Number(range[2])]);
  }
  return bounds;
}

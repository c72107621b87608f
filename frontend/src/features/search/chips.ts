// The applied filters as removable chips.
import { shortCount } from '@/lib/followers';
import { PLATFORM_NAMES } from '@/lib/platforms';
import { AGE_RANGE, type Filters, FOLLOWER_RANGE, isWhole, NO_FILTERS, type Range } from './filters';
import { FOLLOWER_RANGES } from './options';

export interface Chip {
  key: keyof Filters;
  label: string;
}

/** The search text and the category have their own controls, so they get no chips. */
export function chipsOf(filters: Filters): Chip[] {
  const chips: Chip[] = [];
  const add = (key: keyof Filters, label: string) => chips.push({ key, label });
  if (filters.industry) add('industry', filters.industry);
  if (filters.platform && !isWhole(filters.followers, FOLLOWER_RANGE)) {
    add('followers', `${rangeLabel(filters.followers)} on ${PLATFORM_NAMES[filters.platform]}`);
  }
  for (const platform of ['instagram', 'tiktok'] as const) {
    const range = FOLLOWER_RANGES.find(({ value }) => value === filters[platform]);
    if (range) add(platform, `${range.label} on ${PLATFORM_NAMES[platform]}`);
  }
  if (filters.age && !isWhole(filters.age, AGE_RANGE)) add('age', `Age ${ageLabel(filters.age)}`);
  if (filters.location) add('location', filters.location);
  if (filters.language) add('language', filters.language);
  if (filters.ethnicity) add('ethnicity', filters.ethnicity);
  if (filters.badge) add('badge', filters.badge === 'No Verification' ? filters.badge : `${filters.badge} badge`);
  return chips;
}

export const without = (filters: Filters, { key }: Chip): Filters => ({ ...filters, [key]: NO_FILTERS[key] });

export function rangeLabel([low, high]: Range): string {
  if (high === FOLLOWER_RANGE[1] && low > 0) return `${shortCount(low)}+`;
  return `${shortCount(low)} – ${shortCount(high)}`;
}

export const ageLabel = ([low, high]: Range): string => `${low} – ${high}`;

// How the influencer lists' filters are stored in the URL.
import { type AddressForm, choiceFrom, textFrom } from '@/lib/address';
import { PLATFORMS, type Platform } from '@/lib/platforms';
import { AGE_RANGE, type Filters, FOLLOWER_RANGE, isWhole, NO_FILTERS, type Range } from './filters';
import { FOLLOWER_RANGES } from './options';

const TEXTS = ['q', 'category', 'industry', 'location', 'language', 'ethnicity', 'badge'] as const;
const CHOSEN_RANGES = ['instagram', 'tiktok'] as const;
const KEYS = [...TEXTS, ...CHOSEN_RANGES, 'platform', 'followers', 'age'] as const;

/** The parameter value for no platform. Without the parameter, the platform is Instagram. */
const NO_PLATFORM = 'none';

function rangeFrom(text: string | null, [least, most]: Range): Range | null {
  const match = /^(\d+)-(\d+)$/.exec(text ?? '');
  if (!match) return null;
  const clamp = (value: string | undefined) => Math.min(most, Math.max(least, Number(value)));
  const [low, high] = [clamp(match[1]), clamp(match[2])];
  return low <= high ? [low, high] : null;
}

function platformFrom(text: string | null): Platform | '' {
  if (text === NO_PLATFORM) return '';
  return PLATFORMS.find((platform) => platform === text) ?? NO_FILTERS.platform;
}

/** Reads the filters from the URL, ignoring invalid values. */
export function filtersFrom(params: URLSearchParams): Filters {
  const range = (key: (typeof CHOSEN_RANGES)[number]) =>
    FOLLOWER_RANGES.find(({ value }) => value === params.get(key))?.value ?? '';
  return {
    q: textFrom(params.get('q')),
    category: choiceFrom(params.get('category')),
    industry: choiceFrom(params.get('industry')),
    platform: platformFrom(params.get('platform')),
    followers: rangeFrom(params.get('followers'), FOLLOWER_RANGE) ?? FOLLOWER_RANGE,
    instagram: range('instagram'),
    tiktok: range('tiktok'),
    age: rangeFrom(params.get('age'), AGE_RANGE),
    location: textFrom(params.get('location')),
    language: choiceFrom(params.get('language')),
    ethnicity: choiceFrom(params.get('ethnicity')),
    badge: choiceFrom(params.get('badge')),
  };
}

/** Writes only values that differ from the default, to keep shared URLs short. Keeps other parameters. */
export function paramsFrom(filters: Filters, now = new URLSearchParams()): URLSearchParams {
  const params = new URLSearchParams(now);
  for (const key of KEYS) params.delete(key);
  for (const key of [...TEXTS, ...CHOSEN_RANGES]) if (filters[key]) params.set(key, filters[key]);
  if (filters.platform !== NO_FILTERS.platform) params.set('platform', filters.platform || NO_PLATFORM);
  if (!isWhole(filters.followers, FOLLOWER_RANGE)) params.set('followers', filters.followers.join('-'));
  if (filters.age) params.set('age', filters.age.join('-'));
  return params;
}

export const INFLUENCER_ADDRESS: AddressForm<Filters> = {
  none: NO_FILTERS,
  read: filtersFrom,
  write: paramsFrom,
  gradual: ['q', 'location', 'followers', 'age'],
};

// The fixed lists of the filters (specification, section 9).
import type { Option } from '@/components/ui/select';
import { LANGUAGES } from '@/lib/languages';

/** For /search. */
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

/** For /explore. */
export const EXPLORE_INDUSTRIES = [
  'Fashion',
  'Beauty',
  'Tech',
  'Gaming',
  'Lifestyle',
  'Travel',
  'Fitness',
  'Food',
  'Business',
  'Entertainment',
  'Education',
  'Sports',
] as const;
export const EXPLORE_LANGUAGES = [...LANGUAGES, 'Other'] as const;

export const BADGES = ['No Verification', 'Blue', 'Gold', 'Platinum'] as const;

/** Both ends are inclusive; the last range goes up to 999,999,999. */
export const FOLLOWER_RANGES = [
  { value: '0-5000', label: '0-5K' },
  { value: '5000-20000', label: '5K-20K' },
  { value: '20000-100000', label: '20K-100K' },
  { value: '100000-500000', label: '100K-500K' },
  { value: '500000-1000000', label: '500K-1M' },
  { value: '1000000-5000000', label: '1M-5M' },
  { value: '5000000-10000000', label: '5M-10M' },
  { value: '10000000-999999999', label: '10M+' },
] as const satisfies readonly Option[];

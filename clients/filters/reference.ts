// Section 5 of the specification, implemented literally on the fully loaded list. Shares no code with the product's
// filters, so that a mistake there is not repeated here.
import type { Filters, Screen } from '../../frontend/src/features/search/filters';
import type { BusinessFilters } from '../../frontend/src/lib/business-filters';

type Platform = 'instagram' | 'tiktok' | 'youtube' | 'twitter';

export interface InfluencerRow extends Record<`${Platform}_followers`, string | null> {
  id: string;
  name: string;
  username: string;
  category: string;
  location: string | null;
  language: string | null;
  ethnicity: string | null;
  age: number | null;
  badge_type: string;
  approved: boolean;
}

export interface BusinessRow {
  id: string;
  name: string;
  company_name: string | null;
  description: string | null;
  location: string | null;
  type: string | null;
}

/** M is a million, K a thousand; text that can't be parsed counts as 0. */
export function followersIn(text: string | null): number {
  const read = /^\s*(\d[\d,]*(?:\.\d+)?)\s*([km])?\+?\s*$/i.exec(text ?? '');
  if (!read) return 0;
  const unit = { k: 1_000, m: 1_000_000 }[read[2]?.toLowerCase() ?? ''] ?? 1;
  // In floating point, 2.3 * 1,000,000 is slightly less than 2,300,000.
  return Math.floor(Number(read[1]?.replaceAll(',', '')) * unit + 1e-6);
}

const contains = (value: string | null, typed: string) =>
  (value ?? '').toLowerCase().includes(typed.trim().toLowerCase());

function ageFits(age: number | null, filters: Filters, screen: Screen): boolean {
  const [youngest, oldest] = filters.age ?? [18, 60];
  const inside = age !== null && age >= youngest && age <= oldest;
  const differs = youngest !== 18 || oldest !== 60;
  switch (screen) {
    case 'explore':
      // Once filters are applied, no age means excluded.
      return !panelApplied(filters) || inside;
    case 'search':
      // No age is never filtered out.
      return !differs || age === null || inside;
    case 'influencers':
      // Excluded as soon as an age bound differs from the default.
      return !differs || inside;
  }
}

function panelApplied(filters: Filters): boolean {
  const { industry, instagram, tiktok, location, language, ethnicity, badge, platform, followers, age } = filters;
  const texts = [industry, instagram, tiktok, location, language, ethnicity, badge];
  const moved = followers[0] > 0 || followers[1] < 10_000_000;
  return texts.some((text) => text !== '') || platform !== 'instagram' || moved || age !== null;
}

export function influencerFits(row: InfluencerRow, filters: Filters, screen: Screen): boolean {
  if (!row.approved) return false;
  if (![row.name, row.username, row.category].some((value) => contains(value, filters.q))) return false;
  if (filters.category !== '' && row.category !== filters.category) return false;
  if (filters.industry !== '' && row.category !== filters.industry) return false;
  if (!contains(row.location, filters.location)) return false;
  if (filters.language !== '' && row.language !== filters.language) return false;
  if (filters.ethnicity !== '' && row.ethnicity !== filters.ethnicity) return false;
  if (filters.badge === 'No Verification' && row.badge_type !== 'none') return false;
  if (!['', 'No Verification'].includes(filters.badge) && row.badge_type !== filters.badge.toLowerCase()) return false;
  if (filters.platform !== '') {
    const count = followersIn(row[`${filters.platform}_followers`]);
    const [least, most] = filters.followers;
    // The slider's upper end stands for ten million and more.
    if (count < least || (most < 10_000_000 && count > most)) return false;
  }
  for (const platform of ['instagram', 'tiktok'] as const) {
    const [least, most] = filters[platform].split('-').map(Number);
    if (least === undefined || most === undefined) continue;
    const count = followersIn(row[`${platform}_followers`]);
    if (count < least || count > most) return false;
  }
  return ageFits(row.age, filters, screen);
}

export function businessFits(row: BusinessRow, filters: BusinessFilters): boolean {
  if (![row.name, row.company_name, row.description].some((value) => contains(value, filters.q))) return false;
  if (filters.type !== '' && row.type !== filters.type) return false;
  return contains(row.location, filters.location);
}

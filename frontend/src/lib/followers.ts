// Follower counts are the text that was typed; the database keeps a number beside it, these show it.

const UNITS = [
  [1_000_000, 'M'],
  [1_000, 'K'],
] as const;

/** 600_400 is '600K', 2_500_000 is '2.5M'. */
export function shortCount(count: number): string {
  for (const [size, letter] of UNITS) {
    if (count >= size) {
      const value = count / size;
      const digits = value < 10 ? Math.floor(value * 10) / 10 : Math.floor(value);
      return `${digits}${letter}`;
    }
  }
  return String(Math.floor(count));
}

export const PLATFORMS = ['instagram', 'tiktok', 'youtube', 'twitter'] as const;
export type Platform = (typeof PLATFORMS)[number];

export const PLATFORM_NAMES: Record<Platform, string> = {
  instagram: 'Instagram',
  tiktok: 'TikTok',
  youtube: 'YouTube',
  twitter: 'Twitter',
};

/** The platforms with a count, in the order brands compare them; an empty text is none. */
export const countedPlatforms = (counts: { [P in Platform as `${P}_followers`]: string | null }): Platform[] =>
  PLATFORMS.filter((platform) => counts[`${platform}_followers`]?.trim());

/** What stands in place of a count. */
export const NO_FOLLOWERS = '0';

/** Smallest first: below the count, the label. */
const AUDIENCES = [
  [500, '<500'],
  [5_000, '1K+'],
  [10_000, '5K+'],
  [50_000, '10K+'],
  [100_000, '50K+'],
  [500_000, '100K+'],
  [1_000_000, '500K+'],
  [5_000_000, '1M+'],
  [10_000_000, '5M+'],
] as const;

/** How large an audience is, in ten steps. Of a text only the digits count. */
export function audienceLabel(audience: string | number | null | undefined): string {
  const count = typeof audience === 'number' ? audience : Number((audience ?? '').replace(/\D/g, ''));
  return AUDIENCES.find(([below]) => count < below)?.[1] ?? '10M+';
}

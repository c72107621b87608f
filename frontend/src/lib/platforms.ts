// The four platforms of a profile.
export const PLATFORMS = ['instagram', 'tiktok', 'youtube', 'twitter'] as const;
export type Platform = (typeof PLATFORMS)[number];

export const PLATFORM_NAMES: Record<Platform, string> = {
  instagram: 'Instagram',
  tiktok: 'TikTok',
  youtube: 'YouTube',
  twitter: 'Twitter',
};

/** The platforms with a follower count, in the order in which brands compare them. Blank text counts as none. */
export const countedPlatforms = (counts: { [P in Platform as `${P}_followers`]: string | null }): Platform[] =>
  PLATFORMS.filter((platform) => counts[`${platform}_followers`]?.trim());

/** Shown if there is no follower count. */
export const NO_FOLLOWERS = '0';

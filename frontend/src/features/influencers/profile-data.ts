// Values on the profile page that are computed from several columns.
import { PLATFORMS, type Platform } from '@/lib/platforms';
import type { Influencer } from './queries';

export interface Reach {
  total: number;
  /** Largest first; only platforms with followers. */
  shares: { platform: Platform; percent: number }[];
}

export function reachOf(influencer: Influencer): Reach {
  const counts = PLATFORMS.map((platform) => ({ platform, count: influencer[`${platform}_followers_count`] ?? 0 }));
  const total = counts.reduce((sum, { count }) => sum + count, 0);
  const shares = counts
    .filter(({ count }) => count > 0)
    .sort((one, other) => other.count - one.count)
    .map(({ platform, count }) => ({ platform, percent: Math.round((count / total) * 100) }));
  return { total, shares };
}

// The parts of a record that are stored as JSON, read without trusting their shape.
import type { Json } from '@/lib/database.types';
import { PLATFORMS, type Platform } from '@/lib/followers';
import type { Influencer } from './queries';

export interface Service {
  title: string;
  description: string;
  price: string;
}

function textOf(record: Record<string, Json | undefined>, ...names: string[]): string {
  for (const name of names) {
    const value = record[name];
    if (typeof value === 'string' && value) return value;
  }
  return '';
}

/** A service has a title or a name, a description, and a price as free text. */
export function servicesOf(json: Json | null | undefined): Service[] {
  if (!Array.isArray(json)) return [];
  return json.flatMap((item) =>
    item && typeof item === 'object' && !Array.isArray(item)
      ? [
          {
            title: textOf(item, 'title', 'name'),
            description: textOf(item, 'description'),
            price: textOf(item, 'price'),
          },
        ]
      : [],
  );
}

export interface ContentPost {
  url: string;
  title: string;
}

/** A post is an address, or an object with image_url and title. */
export function postsOf(json: Json | null | undefined): ContentPost[] {
  if (!Array.isArray(json)) return [];
  return json.flatMap((item) => {
    if (typeof item === 'string') return [{ url: item, title: '' }];
    if (!item || typeof item !== 'object' || Array.isArray(item)) return [];
    const url = textOf(item, 'image_url', 'url');
    return url ? [{ url, title: textOf(item, 'title') }] : [];
  });
}

export interface Reach {
  total: number;
  /** Largest first; only platforms that have followers. */
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

/** Only addresses that a browser may be sent to. */
export function safeLink(url: string | null | undefined): string | undefined {
  if (!url) return undefined;
  try {
    const { protocol, href } = new URL(url);
    return protocol === 'https:' || protocol === 'http:' ? href : undefined;
  } catch {
    return undefined;
  }
}

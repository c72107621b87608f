import { expect, it } from 'vitest';
import { reachOf, safeLink } from './profile-data';
import type { Influencer } from './queries';

it('adds up the platforms, largest first, and leaves out the empty ones', () => {
  const influencer = {
    instagram_followers_count: 250,
    tiktok_followers_count: 750,
    youtube_followers_count: 0,
  } as Influencer;
  expect(reachOf(influencer)).toEqual({
    total: 1000,
    shares: [
      { platform: 'tiktok', percent: 75 },
      { platform: 'instagram', percent: 25 },
    ],
  });
});

it.each(['javascript:alert(1)', 'data:text/html,x', 'not a link', '', null])('sends nobody to %s', (link) => {
  expect(safeLink(link)).toBeUndefined();
});

it('sends browsers to web addresses', () => {
  expect(safeLink('https://example.test/x')).toBe('https://example.test/x');
});

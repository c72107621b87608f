import { expect, it } from 'vitest';
import { reachOf } from './profile-data';
import type { Influencer } from './queries';

it('adds up the platforms, largest first, and omits empty ones', () => {
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

import { expect, it } from 'vitest';
import { postsOf, reachOf, safeLink, servicesOf } from './profile-data';
import type { Influencer } from './queries';

it('lists services by title or name', () => {
  expect(servicesOf([{ title: 'Reel', description: 'One', price: 'RM 5' }, { name: 'Post' }, 'odd', null])).toEqual([
    { title: 'Reel', description: 'One', price: 'RM 5' },
    { title: 'Post', description: '', price: '' },
  ]);
  expect(servicesOf({ not: 'a list' })).toEqual([]);
});

it('takes posts as addresses or as objects', () => {
  expect(postsOf(['/a.webp', { image_url: '/b.webp', title: 'B' }, { title: 'no picture' }, 7])).toEqual([
    { url: '/a.webp', title: '' },
    { url: '/b.webp', title: 'B' },
  ]);
});

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

import { expect, it } from 'vitest';
import { postsOf, servicesOf } from './profile-json';

it('reads services by title or name', () => {
  expect(servicesOf([{ title: 'Reel', description: 'One', price: 'RM 5' }, { name: 'Post' }, 'odd', null])).toEqual([
    { title: 'Reel', description: 'One', price: 'RM 5' },
    { title: 'Post', description: '', price: '' },
  ]);
  expect(servicesOf({ not: 'a list' })).toEqual([]);
});

it('reads posts stored as URLs or as objects', () => {
  expect(postsOf(['/a.webp', { image_url: '/b.webp', title: 'B' }, { title: 'no picture' }, 7])).toEqual([
    { url: '/a.webp', title: '' },
    { url: '/b.webp', title: 'B' },
  ]);
});

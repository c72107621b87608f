import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { serve } from '@/testing/backend';
import { openPart } from '@/testing/render';
import { InfluencerCard } from './influencer-card';

const ID = 'c0000000-0000-4000-8000-000000000001';
const PATH = '/rest/v1/influencers';

function openCard(posts: unknown) {
  const requests = serve({ [`GET ${PATH}`]: () => [{ content_posts: posts }] });
  openPart(
    <InfluencerCard
      influencer={{
        id: ID,
        name: 'Aisyah Rahmat',
        username: 'aisyah.jalan',
        category: 'Travel',
        bio: null,
        location: null,
        profile_image: '/portrait.webp',
        badge_type: 'none',
        instagram_followers: null,
        tiktok_followers: null,
        youtube_followers: null,
        twitter_followers: null,
      }}
    />,
  );
  const card = screen.getByRole('article');
  vi.spyOn(card, 'getBoundingClientRect').mockReturnValue(new DOMRect(100, 0, 300, 400));
  return { card, asked: () => requests.filter(({ path }) => path === PATH) };
}

const POSTS = ['/1.webp', { image_url: '/2.webp', title: 'Two' }, '/3.webp', '/4.webp'];

const work = (card: HTMLElement) => card.querySelector('[data-slot=card-work]');
const shown = (card: HTMLElement) => Number(work(card)?.getAttribute('data-current'));
const pictures = (card: HTMLElement) =>
  [...(work(card)?.querySelectorAll('img') ?? [])].map((picture) => picture.getAttribute('src'));

/** Events until the lazily loaded part reacts. */
const pointAt = (card: HTMLElement, clientX: number) => fireEvent.pointerMove(card, { pointerType: 'mouse', clientX });

function touch(card: HTMLElement, from: [number, number], to: [number, number]) {
  fireEvent.touchStart(card, { touches: [{ clientX: from[0], clientY: from[1] }] });
  const moved = fireEvent.touchMove(card, { touches: [{ clientX: to[0], clientY: to[1] }] });
  const ended = fireEvent.touchEnd(card, { changedTouches: [{ clientX: to[0], clientY: to[1] }] });
  return moved && ended;
}

async function arrive(card: HTMLElement, pointerType: string) {
  fireEvent.pointerEnter(card, { pointerType });
  await waitFor(() => expect(work(card)).not.toBeNull());
}

it('requests nothing until the card is pointed at, and then once, for three pictures', async () => {
  const { card, asked } = openCard(POSTS);
  expect(work(card)).toBeNull();
  await arrive(card, 'mouse');
  expect(asked()).toEqual([]);
  pointAt(card, 110);
  await waitFor(() => expect(pictures(card)).toEqual(['/1.webp', '/2.webp', '/3.webp']));
  expect(asked().map(({ query }) => Object.fromEntries(query))).toEqual([{ select: 'content_posts', id: `eq.${ID}` }]);
  expect(shown(card)).toBe(1);
  pointAt(card, 250);
  expect(shown(card)).toBe(2);
  pointAt(card, 400);
  expect(shown(card)).toBe(3);
  fireEvent.pointerLeave(card, { pointerType: 'mouse' });
  expect(shown(card)).toBe(0);
  await arrive(card, 'mouse');
  pointAt(card, 399);
  expect(shown(card)).toBe(3);
  expect(asked()).toHaveLength(1);
});

it('shows the next picture on a swipe, the previous one on a swipe back, and never prevents scrolling', async () => {
  const { card } = openCard(POSTS);
  await arrive(card, 'touch');
  await waitFor(() => expect(work(card)?.querySelectorAll('i')).toHaveLength(3));
  expect(pictures(card)).toEqual([]);
  expect(touch(card, [300, 100], [200, 105])).toBe(true);
  expect(shown(card)).toBe(1);
  expect(pictures(card)).toHaveLength(3);
  expect(touch(card, [300, 100], [290, 300])).toBe(true);
  expect(shown(card)).toBe(1);
  touch(card, [100, 100], [200, 100]);
  expect(shown(card)).toBe(0);
  touch(card, [100, 100], [200, 100]);
  expect(shown(card)).toBe(3);
});

it('is still one link, and shows only the portrait if there is no content', async () => {
  const { card, asked } = openCard([]);
  await arrive(card, 'touch');
  await waitFor(() => expect(asked()).toHaveLength(1));
  touch(card, [300, 100], [200, 105]);
  expect(shown(card)).toBe(0);
  expect(card.querySelectorAll('img')).toHaveLength(1);
  expect(screen.getAllByRole('link')).toHaveLength(1);
});

it("shows the portrait if the content can't be loaded", async () => {
  const { card, asked } = openCard(undefined);
  await arrive(card, 'touch');
  await waitFor(() => expect(asked().length).toBeGreaterThan(0));
  touch(card, [300, 100], [200, 105]);
  expect(shown(card)).toBe(0);
  expect(card.querySelectorAll('img')).toHaveLength(1);
});

// Which pages carry rows: those that a visitor may see.

import { expect, test } from 'vitest';
import { newInfluencer } from '../e2e/accounts';
import { BLOCK } from '../e2e/first-answers';
import { request } from './server';

test('what comes along is what a visitor may see, whoever asks for the page', async () => {
  const me = await newInfluencer(request);
  const [own] = await (
    await request.get(`/rest/v1/influencers?select=id,name&user_id=eq.${me.userId}`, { headers: me.headers })
  ).json();
  const answer = await request.get(`/profile/${own.id}`, { headers: me.headers });
  expect(answer.status()).toBe(404);
  const html = await answer.text();
  expect(BLOCK.test(html)).toBe(false);
  expect(html).not.toContain(own.name);
});

test('a question in the address, a page that is not there and pages of one’s own come without', async () => {
  for (const path of [
    '/search?q=a',
    '/search?utm_source=mail',
    '/profile/00000000-0000-4000-8000-00000000dead',
    '/profile/1',
    '/dashboard',
    '/gigs',
    '/pricing',
  ]) {
    expect(BLOCK.test(await (await request.get(path)).text()), path).toBe(false);
  }
});

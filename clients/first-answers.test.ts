// The HTML carries the first rows of public pages only, and only what a visitor may see.

import { expect, test } from 'vitest';
import { newInfluencer } from '../frontend/e2e/accounts';
import { BLOCK } from '../frontend/e2e/first-answers';
import { request } from './server';

test('an unapproved profile is not sent along, not even to its owner', async () => {
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

test('searches, missing pages and private pages carry no rows', async () => {
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

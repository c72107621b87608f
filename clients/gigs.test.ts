// Gigs through the gateway.

import { expect, test } from 'vitest';
import { newAgency, withRecord } from '../frontend/e2e/businesses';
import { request } from './server';

const agencyWithRecord = async () => withRecord(request, 'agencies', await newAgency(request));

test("an agency can't read, change or delete another agency's gig, or post in its name", async () => {
  const [mine, other] = [await agencyWithRecord(), await agencyWithRecord()];
  const represent = { Prefer: 'return=representation' };
  const made = await request.post('/rest/v1/gigs', {
    headers: { ...mine.headers, ...represent },
    data: { agency_id: mine.id, title: 'Mine', description: 'Alone' },
  });
  const [gig] = await made.json();
  const path = `/rest/v1/gigs?id=eq.${gig.id}`;
  const headers = { ...other.headers, ...represent };
  expect(await (await request.get(path, { headers })).json()).toEqual([]);
  expect(await (await request.patch(path, { headers, data: { title: 'Theirs' } })).json()).toEqual([]);
  expect(await (await request.delete(path, { headers })).json()).toEqual([]);
  const posted = await request.post('/rest/v1/gigs', {
    headers,
    data: { agency_id: mine.id, title: 'In their name', description: 'x' },
  });
  expect(posted.status()).toBe(403);
  const kept = await (await request.get(path, { headers: mine.headers })).json();
  expect(kept[0].title).toBe('Mine');
});

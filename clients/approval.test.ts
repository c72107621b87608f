// Side effects of an approval: a notice, a mail, and the profile appears in search immediately.

import { expect, test } from 'vitest';
import { changeAsAdmin, deleteAsAdmin, newInfluencer } from '../frontend/e2e/accounts';
import { eventually } from '../frontend/e2e/eventually';
import { mailsTo } from '../frontend/e2e/mailbox';
import { request } from './server';

/** The profiles that a visitor's search for this name returns. */
async function found(apikey: string, name: string): Promise<string[]> {
  const query = new URLSearchParams({
    select: 'id',
    approved: 'eq.true',
    or: `(name.ilike."%${name}%",username.ilike."%${name}%",category.ilike."%${name}%")`,
    order: 'created_at.desc,id.desc',
    limit: '24',
  });
  const answer = await request.get(`/rest/v1/influencers?${query}`, { headers: { apikey } });
  expect(answer.status()).toBe(200);
  return (await answer.json()).map((row: { id: string }) => row.id);
}

test('an approved influencer is notified, and the next search finds the profile', async () => {
  const me = await newInfluencer(request);
  const apikey = me.headers.apikey ?? '';
  const notices = async () =>
    (await request.get('/rest/v1/notices?select=kind,seen_at', { headers: me.headers })).json();
  const approvals = async () => (await mailsTo(request, me.email)).filter((mail) => mail.template === 'approved');
  expect(await found(apikey, me.name)).toEqual([]);
  expect(await notices()).toEqual([]);

  await changeAsAdmin(request, me.userId, { approved: true });
  expect(await found(apikey, me.name)).toEqual([me.profileId]);
  expect(await found(apikey, me.username)).toEqual([me.profileId]);
  expect(await notices()).toEqual([{ kind: 'approved', seen_at: null }]);
  await eventually(async () => expect(await approvals()).toHaveLength(1));

  // Approving again does not notify again.
  await changeAsAdmin(request, me.userId, { approved: true });
  expect(await notices()).toHaveLength(1);
  expect(await approvals()).toHaveLength(1);
  await deleteAsAdmin(request, me.userId);
  expect(await found(apikey, me.name)).toEqual([]);
});

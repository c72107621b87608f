// The preparation for each block of the API guide's part about the marketplace, and the block's result.
import { expect } from 'vitest';
import { verifiedInfluencer } from '../../frontend/e2e/accounts';
import { agencyWithGig } from '../../frontend/e2e/gigs';
import { demo } from '../../frontend/e2e/people';
import { request } from '../server';
import type { Names } from './run';

interface Answer {
  data: unknown;
  status: number;
  error: unknown;
}

const PART = 'Use the marketplace';

const named = <Value>(blocks: Record<number, Value>) =>
  Object.fromEntries(Object.entries(blocks).map(([number, value]) => [`${PART} ${number}`, value]));

/** The statuses of the requests that each block makes. */
export const MARKETPLACE_STATUSES = named({
  1: [201],
  2: [200, 200],
  3: [200],
  4: [200, 201, 409],
  5: [200, 200, 204],
  6: [201],
  7: [200, 200, 200],
});

let gigId = '';
let emails = { influencer: '', agency: '' };

/** `names` are the names that blocks use, such as `id`. The accounts are new. */
export const marketplaceBefore = (names: Names, signIn: (email: string) => Promise<unknown>) => {
  const as = async (email: string, id: unknown) => {
    await signIn(email);
    names.id = id;
  };
  const dataOf = (name: string) => (names[name] as { data: Record<string, unknown> }).data;
  return named({
    1: async () => {
      const [influencer, agency] = await Promise.all([verifiedInfluencer(request), agencyWithGig(request)]);
      emails = { influencer: influencer.email, agency: agency.email };
      gigId = agency.gigId;
      await as(emails.influencer, gigId);
    },
    2: () => as(emails.agency, dataOf('application').id),
    3: () => as(emails.influencer, dataOf('accepted').collaboration_id),
    4: () => as(emails.agency, names.id),
    5: () => signIn(emails.influencer),
    6: () => as(emails.influencer, gigId),
    7: async () => {
      await signIn(demo('admin'));
      const service = process.env.SERVICE_ROLE_KEY ?? '';
      const headers = { apikey: service, Authorization: `Bearer ${service}` };
      const rows = await (await request.get(`/rest/v1/reports?subject_id=eq.${gigId}`, { headers })).json();
      names.id = rows[0].id;
    },
  });
};

export const MARKETPLACE_AFTER = named<(declared: Record<string, Answer>) => unknown>({
  1: ({ application }) => expect(application?.data).toMatchObject({ state: 'applied' }),
  2: ({ accepted }) => {
    expect(accepted?.data).toMatchObject({ state: 'accepted', collaboration_id: expect.any(String) });
  },
  3: ({ completed }) => expect(completed?.data).toBe('accepted'),
  4: ({ refusal, again }) => {
    expect(refusal).toBeNull();
    const message = 'The collaboration is completed, and you have already reviewed it';
    expect(again).toMatchObject({ status: 409, error: { code: 'PT409', message } });
  },
  5: ({ unread, left }) => {
    expect(unread?.data).toMatchObject(['review_invited', 'application_decided', 'approved'].map((kind) => ({ kind })));
    expect(left?.data).toBe(0);
  },
  6: ({ fault }) => expect(fault).toBeNull(),
  7: ({ queue, decided }) => {
    expect(queue?.data).not.toHaveLength(0);
    expect(decided?.data).toBe('upheld');
  },
});

// Writing a brief, as a visitor and with an account.
import { screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { type Answers, accountAnswers, SOMEBODY, serve, sessionOf, unreachable } from '@/testing/backend';
import { button, errors, fill, openApp, user } from '@/testing/render';
import { briefSchema, EMPTY_BRIEF } from './schema';
import { allowanceText, budgetOf, datesOf } from './wording';

afterEach(() => vi.unstubAllGlobals());

const AINA = 'c0000000-0000-4000-8000-000000000001';
const BEN = 'c0000000-0000-4000-8000-000000000002';
const profile = (id: string, name: string) => ({
  id,
  name,
  user_id: `b${id.slice(1)}`,
  username: name.toLowerCase(),
  profile_image: null,
});
const sent = (state: string, ...ids: string[]) =>
  Response.json(
    { enquiries: ids.map((id) => ({ id: `e${id.slice(1)}`, influencer_id: id, state })), remaining: 3 },
    { status: 201 },
  );
const people: Answers = { 'GET /rest/v1/influencers': () => [profile(AINA, 'Aina'), profile(BEN, 'Ben')] };
const field = (label: string | RegExp) => screen.getByLabelText(label);
const MESSAGE = 'Would you show our new menu?';

async function typeBrief() {
  await fill(await screen.findByLabelText(/^Deliverables/), 'Two reels');
  await fill(field(/^Message/), MESSAGE);
}

it('sends a visitor’s brief, and asks to confirm it by e-mail', async () => {
  const requests = serve({
    'GET /rest/v1/influencers': () => [profile(AINA, 'Aina')],
    'POST /functions/v1/enquiries': () => sent('unconfirmed', AINA),
  });
  await openApp(`/profile/${AINA}/enquire`);
  await typeBrief();
  await fill(field('Budget from (RM)'), '1,500');
  await user.click(button('Send enquiry'));
  await waitFor(() => expect(errors()).toEqual(['Enter your name']));
  await fill(field(/^Your name/), 'Mei');
  await fill(field(/^Your e-mail/), 'nowhere');
  await user.click(button('Send enquiry'));
  await waitFor(() => expect(errors()).toEqual(['Enter a valid e-mail address']));
  await fill(field(/^Your e-mail/), 'mei@example.test');
  await user.dblClick(button('Send enquiry'));
  expect(await screen.findByText('Check your e-mail')).toBeVisible();
  const posts = requests.filter(({ method }) => method === 'POST');
  expect(posts.map(({ body }) => body)).toEqual([
    {
      influencer_ids: [AINA],
      deliverables: 'Two reels',
      message: MESSAGE,
      budget_from: 1500,
      budget_to: null,
      starts_on: null,
      ends_on: null,
      name: 'Mei',
      company: null,
      email: 'mei@example.test',
    },
  ]);
});

it('sends one brief of an account to several, and tells how many are left', async () => {
  const requests = serve({
    ...accountAnswers({ ...SOMEBODY, roles: ['agency'] }),
    ...people,
    'GET /rest/v1/rpc/enquiries_left': () => Response.json(4),
    'POST /rest/v1/rpc/enquiries_left': () => Response.json(4),
    'POST /functions/v1/enquiries': () => sent('open', AINA, BEN),
  });
  await openApp(`/enquire?to=${AINA},${BEN}`, sessionOf(SOMEBODY));
  expect(await screen.findByText('You can send 4 more enquiries today.')).toBeVisible();
  expect(screen.queryByLabelText(/^Your e-mail/)).toBeNull();
  await typeBrief();
  await user.click(button('Send to 2'));
  expect(await screen.findByText('Enquiry sent')).toBeVisible();
  expect(screen.getByText('You can send 3 more enquiries today.')).toBeVisible();
  const post = requests.find(({ path }) => path === '/functions/v1/enquiries');
  expect(post?.body).toMatchObject({ influencer_ids: [AINA, BEN], name: null, email: null });
});

it.each([
  [429, 'You can send 5 enquiries in 24 hours. Please try again later.'],
  [409, 'You already have an open enquiry to Aina'],
])('shows the refusal %i and keeps what was typed', async (status, error) => {
  serve({
    ...accountAnswers({ ...SOMEBODY, roles: ['agency'] }),
    ...people,
    'POST /functions/v1/enquiries': () => Response.json({ error }, { status }),
  });
  await openApp(`/profile/${AINA}/enquire`, sessionOf(SOMEBODY));
  await typeBrief();
  await user.click(button(/^Send/));
  expect(await screen.findByText(error)).toBeVisible();
  expect(field(/^Message/)).toHaveValue(MESSAGE);
});

it('keeps what was typed through a lost connection and a reload', async () => {
  serve({ ...people, 'POST /functions/v1/enquiries': unreachable });
  const { unmount } = await openApp(`/profile/${AINA}/enquire`);
  await typeBrief();
  await fill(field(/^Your name/), 'Mei');
  await fill(field(/^Your e-mail/), 'mei@example.test');
  await user.click(button(/^Send/));
  expect(await screen.findByText('We couldn’t reach the server. Check your connection.')).toBeVisible();
  unmount();
  const kept = window.sessionStorage.getItem('serasi-draft-enquiry');
  expect(JSON.parse(kept ?? '{}').values).toMatchObject({ message: MESSAGE, name: 'Mei' });
});

it('offers no form to write to oneself', async () => {
  const own = { ...profile(AINA, 'Aina'), user_id: SOMEBODY.id };
  serve({ ...accountAnswers({ ...SOMEBODY, roles: ['influencer'] }), 'GET /rest/v1/influencers': () => [own] });
  await openApp(`/profile/${AINA}/enquire`, sessionOf(SOMEBODY));
  expect(await screen.findByText('This is your own profile')).toBeVisible();
  expect(screen.queryByLabelText(/^Message/)).toBeNull();
});

it('finds no unapproved or deleted profile', async () => {
  serve({ 'GET /rest/v1/influencers': () => [] });
  await openApp(`/profile/${AINA}/enquire`);
  expect(await screen.findByText('Influencer not found')).toBeVisible();
});

const VALID = { ...EMPTY_BRIEF, deliverables: 'Two reels', message: MESSAGE };

it.each([
  [{ deliverables: ' ' }, 'Enter the deliverables'],
  [{ deliverables: 'x'.repeat(501) }, 'The deliverables can have at most 500 characters'],
  [{ message: 'x'.repeat(19) }, 'The message needs at least 20 characters'],
  [{ message: 'x'.repeat(2001) }, 'The message can have at most 2,000 characters'],
  [{ budget_from: 'a lot' }, 'Enter the budget in whole ringgit, such as 1500'],
  [{ budget_from: '12.50' }, 'Enter the budget in whole ringgit, such as 1500'],
  [{ budget_to: '100000001' }, 'The budget can be at most RM 100,000,000'],
  [{ budget_from: '2', budget_to: '1' }, "The highest budget can't be below the lowest"],
  [{ starts_on: '2020-01-01' }, "The dates can't be in the past"],
  [{ starts_on: '2999-01-02', ends_on: '2999-01-01' }, "The last day can't be before the first"],
])('refuses %j', (changed, message) => {
  const result = briefSchema(false).safeParse({ ...VALID, ...changed });
  expect(result.error?.issues.map((issue) => issue.message)).toEqual([message]);
});

it('accepts the limits', () => {
  const edge = { deliverables: 'x'.repeat(500), message: 'x'.repeat(2000), budget_from: '0', budget_to: '100,000,000' };
  expect(briefSchema(false).parse({ ...VALID, ...edge })).toMatchObject({ budget_to: '100000000' });
});

it('words budgets, dates and the allowance', () => {
  expect([
    budgetOf(500, 1500),
    budgetOf(500, 500),
    budgetOf(500, null),
    budgetOf(null, 9),
    budgetOf(null, null),
  ]).toEqual(['RM 500 – RM 1,500', 'RM 500', 'From RM 500', 'Up to RM 9', undefined]);
  expect([datesOf('2026-08-31', '2026-09-02'), datesOf('2026-08-31', null), datesOf(null, null)]).toEqual([
    '31 Aug 2026 – 2 Sept 2026',
    'From 31 Aug 2026',
    undefined,
  ]);
  expect(allowanceText(1)).toBe('You can send 1 more enquiry today.');
});

it("makes a guest's name and company one line of visible text", () => {
  const pasted = { name: 'Nur\u200B\nTan', company: '\u202ETandu', message: 'Two reels about the new menu.\nIn May.' };
  const clean = { name: 'Nur Tan', company: 'Tandu', message: pasted.message };
  expect(briefSchema(false).parse({ ...VALID, ...pasted })).toMatchObject(clean);
});

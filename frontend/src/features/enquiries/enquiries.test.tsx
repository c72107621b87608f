// Received and sent enquiries, answers, and the guest's link.
import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { type Answers, accountAnswers, SOMEBODY, serve, sessionOf } from '@/testing/backend';
import { button, byRole, fill, openApp, toasts, user } from '@/testing/render';

afterEach(() => vi.unstubAllGlobals());

const OWN = 'c0000000-0000-4000-8000-000000000001';
const ID = 'e0000000-0000-4000-8000-000000000001';
const enquiry = (changed: object = {}) => ({
  id: ID,
  influencer_id: OWN,
  sender_user_id: 'a0000000-0000-4000-8000-000000000009',
  sender_name: 'Kopi House',
  sender_company: null,
  sender_email: null,
  deliverables: 'Two reels',
  message: 'Would you show our new menu?',
  budget_from: 1500,
  budget_to: null,
  starts_on: null,
  ends_on: null,
  state: 'open',
  answer: null,
  reason: null,
  created_at: '2026-11-20T08:00:00+00:00',
  answered_at: null,
  expires_at: '2026-11-27T08:00:00+00:00',
  collaboration_id: null,
  influencers: { id: OWN, user_id: SOMEBODY.id, name: 'Nadia', username: 'nadia', profile_image: null },
  ...changed,
});
const asInfluencer = (more: Answers): Answers => ({
  ...accountAnswers({ ...SOMEBODY, roles: ['influencer'] }),
  'GET /rest/v1/influencers': () => [{ id: OWN, user_id: SOMEBODY.id }],
  ...more,
});
/** A button of the dialog that asks for confirmation. */
const sure = (name: string) =>
  within(screen.getByRole('alertdialog', { hidden: true })).getByRole('button', { name, hidden: true });
const session = () => sessionOf(SOMEBODY);
const calls = (requests: ReturnType<typeof serve>, name: string) =>
  requests.filter(({ path }) => path === `/rest/v1/rpc/${name}`).map(({ body }) => body);

it('lists received enquiries, by state and page by page', async () => {
  const page = Array.from({ length: 24 }, (_, n) =>
    enquiry({ id: `${ID.slice(0, -2)}${10 + n}`, deliverables: `Brief ${n}` }),
  );
  const requests = serve(
    asInfluencer({ 'GET /rest/v1/enquiries': ({ query }) => (query.has('or') ? [enquiry()] : page) }),
  );
  await openApp('/enquiries', session());
  expect(await screen.findByText('Brief 23')).toBeVisible();
  await user.click(button('Load More'));
  await waitFor(() => expect(screen.queryByText('Load More')).toBeNull());
  await user.click(button('Declined'));
  const asked = () => requests.filter(({ path }) => path === '/rest/v1/enquiries').map(({ query }) => query);
  await waitFor(() => expect(asked().at(-1)?.get('state')).toBe('eq.declined'));
  expect(asked().every((query) => query.get('influencer_id') === `eq.${OWN}` && query.get('limit') === '24')).toBe(
    true,
  );
  expect(window.location.search).toBe('?box=received&state=declined');
});

it('shows what an account without a profile sent, also to a deleted profile', async () => {
  const requests = serve({
    ...accountAnswers({ ...SOMEBODY, roles: ['agency'] }),
    'GET /rest/v1/enquiries': () => [enquiry({ influencers: null, influencer_id: null, state: 'expired' })],
  });
  await openApp('/enquiries', session());
  expect(await screen.findByText('Former member')).toBeVisible();
  const asked = requests.find(({ path }) => path === '/rest/v1/enquiries');
  expect(asked?.query.get('sender_user_id')).toBe(`eq.${SOMEBODY.id}`);
});

it('says what to do when there are none', async () => {
  serve(asInfluencer({ 'GET /rest/v1/enquiries': () => [] }));
  await openApp('/enquiries', session());
  expect(await screen.findByText('No enquiries yet')).toBeVisible();
});

it('asks visitors to sign in, and comes back afterwards', async () => {
  serve(asInfluencer({ 'GET /rest/v1/enquiries': () => [] }));
  await openApp('/enquiries?box=sent');
  expect(await screen.findByText('Sign in to see your enquiries')).toBeVisible();
  await user.click(byRole('link', 'Agency Login'));
  // From another portal, too.
  await user.click(await screen.findByRole('link', { name: 'Influencer Login', hidden: true }));
  expect(await screen.findByRole('heading', { level: 1, name: 'Influencer portal', hidden: true })).toBeVisible();
  await fill(screen.getByLabelText(/^E-mail/), SOMEBODY.email);
  await fill(screen.getByLabelText(/^Password/), 'serasi-demo');
  await user.click(button('Sign In'));
  expect(await screen.findByText('You haven’t sent an enquiry yet')).toBeVisible();
  expect(window.location.pathname + window.location.search).toBe('/enquiries?box=sent');
  expect(window.sessionStorage.getItem('serasi-return-to')).toBeNull();
});

it('accepts once, after a confirmation, and then shows the address', async () => {
  let state = 'open';
  const requests = serve(
    asInfluencer({
      'GET /rest/v1/enquiries': () => [enquiry({ state, answer: state === 'open' ? null : 'Gladly' })],
      'POST /rest/v1/rpc/answer_enquiry': () => {
        state = 'accepted';
        return { id: ID, state };
      },
      'POST /rest/v1/rpc/enquiry_contact': () => Response.json('kopi@example.test'),
    }),
  );
  await openApp(`/enquiries/${ID}`, session());
  await fill(await screen.findByLabelText('Text'), 'Gladly');
  expect(screen.queryByText('kopi@example.test')).toBeNull();
  await user.click(button('Accept'));
  await user.dblClick(sure('Accept'));
  expect(await screen.findByText('kopi@example.test')).toBeVisible();
  expect(calls(requests, 'answer_enquiry')).toEqual([{ enquiry_id: ID, accept: true, answer: 'Gladly' }]);
});

it('declines with a reason, and shows the state after a refusal', async () => {
  let state = 'open';
  serve(
    asInfluencer({
      'GET /rest/v1/enquiries': () => [enquiry({ state })],
      'POST /rest/v1/rpc/answer_enquiry': () => {
        state = 'withdrawn';
        const body = { code: 'PT409', message: 'This enquiry is already withdrawn', details: null, hint: null };
        return Response.json(body, { status: 409 });
      },
    }),
  );
  await openApp(`/enquiries/${ID}`, session());
  await user.click(await screen.findByText('Decline'));
  await user.click(sure('Decline'));
  await waitFor(() => expect(toasts().join()).toContain('This enquiry is already withdrawn'));
  expect(await screen.findByText('Withdrawn')).toBeVisible();
});

it('withdraws what one sent, after a confirmation', async () => {
  const requests = serve({
    ...accountAnswers({ ...SOMEBODY, roles: ['agency'] }),
    'GET /rest/v1/enquiries': () => [enquiry({ sender_user_id: SOMEBODY.id })],
    'POST /rest/v1/rpc/withdraw_enquiry': () => ({ id: ID, state: 'withdrawn' }),
  });
  await openApp(`/enquiries/${ID}`, session());
  await user.click(await screen.findByText('Withdraw'));
  expect(calls(requests, 'withdraw_enquiry')).toEqual([]);
  await user.click(sure('Withdraw'));
  await waitFor(() => expect(calls(requests, 'withdraw_enquiry')).toEqual([{ enquiry_id: ID }]));
});

it('shows no enquiry of others', async () => {
  serve(asInfluencer({ 'GET /rest/v1/enquiries': () => [] }));
  await openApp(`/enquiries/${ID}`, session());
  expect(await screen.findByText('Enquiry not found')).toBeVisible();
});

const guestBrief = (state: string) => ({
  ...enquiry(),
  enquiries: [
    { ...enquiry({ state }), influencer_name: 'Nadia', influencer_email: null },
    { ...enquiry({ state, id: `${ID.slice(0, -1)}2` }), influencer_name: 'Farah', influencer_email: null },
  ],
});

it('lets a guest confirm by a button; opening the link changes nothing', async () => {
  const requests = serve({
    'POST /rest/v1/rpc/guest_enquiry': () => guestBrief('unconfirmed'),
    'POST /rest/v1/rpc/confirm_enquiry': () => guestBrief('open'),
    'POST /rest/v1/rpc/withdraw_guest_enquiry': () => guestBrief('withdrawn'),
  });
  await openApp('/enquiry/5f1e');
  expect(await screen.findByText('Send this enquiry?')).toBeVisible();
  expect(requests.every(({ path }) => path === '/rest/v1/rpc/guest_enquiry')).toBe(true);
  await user.click(button('Confirm and send'));
  expect(await screen.findByText('Your enquiry')).toBeVisible();
  expect(calls(requests, 'confirm_enquiry')).toEqual([{ token: '5f1e' }]);
  const [first] = screen.getAllByText('Withdraw');
  if (first) await user.click(first);
  await user.click(sure('Withdraw'));
  await waitFor(() => expect(calls(requests, 'withdraw_guest_enquiry')).toEqual([{ token: '5f1e', enquiry_id: ID }]));
});

it('says when a guest’s link has expired', async () => {
  serve({
    'POST /rest/v1/rpc/guest_enquiry': () =>
      Response.json({ code: 'PT404', message: 'This link is incomplete or has expired' }, { status: 404 }),
  });
  await openApp('/enquiry/5f1e');
  expect(await screen.findByText('This link is incomplete or has expired')).toBeVisible();
});

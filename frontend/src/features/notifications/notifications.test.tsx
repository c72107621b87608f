import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { queryClient } from '@/lib/query-client';
import { type Answers, accountAnswers, SOMEBODY, serve, sessionOf, unreachable } from '@/testing/backend';
import { button, openApp, openPart, toasts, user } from '@/testing/render';
import { Bell } from './components/bell';
import { groupsFor, pathOf, sentenceOf, subjectOf } from './kinds';
import { unreadQuery } from './queries';

afterEach(() => vi.unstubAllGlobals());

const row = (number: number, more: object = {}) => ({
  id: `d0000000-0000-4000-8000-00000000000${number}`,
  kind: 'enquiry_received',
  data: { name: `Brand ${number}`, path: `/explore?enquiry=${number}` },
  created_at: `2026-03-0${number}T06:05:00Z`,
  seen_at: null as string | null,
  ...more,
});

/** A backend that remembers which notifications were read. */
function backend(rows: ReturnType<typeof row>[], more: Answers = {}) {
  const unread = () => rows.filter((one) => one.seen_at === null).length;
  return serve({
    ...accountAnswers({ ...SOMEBODY, roles: ['influencer'] }),
    'HEAD /rest/v1/notifications': () => new Response(null, { headers: { 'content-range': `*/${unread()}` } }),
    'GET /rest/v1/notifications': () =>
      Response.json(rows, { headers: { 'content-range': `0-${rows.length - 1}/${rows.length}` } }),
    'GET /rest/v1/notification_settings': () => [{ kind: 'gig_closed', delivery: 'daily' }],
    'POST /rest/v1/rpc/mark_notifications_seen': ({ body }) => {
      const { ids } = body as { ids?: string[] };
      for (const one of rows) if (!ids || ids.includes(one.id)) one.seen_at = '2026-03-09T00:00:00Z';
      return Response.json(unread());
    },
    'POST /rest/v1/rpc/set_notification_delivery': () => new Response(null, { status: 204 }),
    ...more,
  });
}

it('writes a sentence for each kind, also without a name and for a kind of a newer version', () => {
  const said = (kind: string, data: object) => sentenceOf({ ...row(1), kind, data: { ...data } });
  expect(said('enquiry_received', { name: 'Kopi Satu' })).toBe('Kopi Satu sent you an enquiry.');
  expect(said('enquiry_received', {})).toBe('Former member sent you an enquiry.');
  expect(said('application_decided', { title: 'Raya', state: 'shortlisted' })).toBe(
    'Your application for “Raya” is on the shortlist.',
  );
  const ends = ['closed', 'full', 'removed'].map((state) => said('gig_closed', { title: 'Raya', state }));
  expect(ends).toEqual(['“Raya” is closed.', '“Raya” is full.', '“Raya” was removed.']);
  const applicants = (gigs: object[]) => said('application_received', { title: 'Raya', gigs });
  expect(applicants([{}])).toBe('There are new applicants for “Raya”.');
  expect(applicants([{}, {}])).toBe('There are new applicants for your gigs.');
  expect(said('something_new', {})).toBe('There’s news about your account.');
});

it('leads to pages of this site only', () => {
  const path = (value: unknown) => pathOf({ ...row(1), data: { path: value as string } });
  expect(path('/enquiries/1')).toBe('/enquiries/1');
  for (const other of ['//other.test', '/\\other.test', 'https://other.test', 'javascript:alert(1)', '', 1, null]) {
    expect(path(other)).toBeUndefined();
  }
});

it('offers what somebody can get', () => {
  const kinds = (roles: Parameters<typeof groupsFor>[0]) =>
    groupsFor(roles).flatMap(({ choices }) => choices.map(({ kind }) => kind));
  expect(kinds(['influencer'])).toContain('enquiry_received');
  expect(kinds(['agency'])).toContain('application_received');
  expect(kinds(['agency'])).not.toContain('enquiry_received');
  expect(kinds(['vendor'])).toContain('enquiry_answered');
  expect(subjectOf('digest')).toBe('the daily summary');
  expect(subjectOf('<script>')).toBeUndefined();
});

it('the bell shows how many are unread, and refetches after every own action', async () => {
  const rows = [row(2), row(1)];
  const requests = backend(rows);
  openPart(<Bell />, sessionOf(SOMEBODY));
  expect(await screen.findByRole('button', { name: 'Notifications, 2 unread' })).toBeVisible();
  const asked = () => requests.filter(({ method }) => method === 'HEAD').length;
  expect(asked()).toBe(1);

  rows.push(row(3));
  await queryClient
    .getMutationCache()
    .build(queryClient, { mutationFn: async () => 'saved' })
    .execute(undefined);
  expect(await screen.findByText('3 unread notifications')).toBeInTheDocument();
  expect(asked()).toBe(2);
});

it('polls once a minute, and not while the page is hidden', () => {
  const query = unreadQuery('somebody');
  expect(query.refetchInterval).toBe(60_000);
  expect('refetchIntervalInBackground' in query).toBe(false);
});

it('visitors have no bell and ask nothing', async () => {
  const requests = backend([]);
  openPart(<Bell />);
  await waitFor(() => expect(screen.queryByRole('button')).toBeNull());
  expect(requests).toEqual([]);
});

it('the bell opens the newest, and opening one marks it as read', async () => {
  const requests = backend([row(2), row(1)]);
  openPart(<Bell />, sessionOf(SOMEBODY));
  await user.click(await screen.findByRole('button', { name: 'Notifications, 2 unread' }));
  const panel = await screen.findByRole('dialog', { name: 'Notifications' });
  const link = await within(panel).findByRole('link', { name: /Brand 2 sent you an enquiry/ });
  expect(link).toHaveAttribute('href', '/explore?enquiry=2');
  expect(link).toHaveTextContent('2 Mar 2026, 14:05');
  await user.click(link);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  const marked = requests.filter(({ path }) => path.endsWith('mark_notifications_seen'));
  expect(marked.map(({ body }) => body)).toEqual([{ ids: [row(2).id] }]);
  expect(await screen.findByRole('button', { name: 'Notifications, 1 unread' })).toBeVisible();
});

it("the bell says when the newest can't be loaded, and tries again", async () => {
  const answers: Answers = { 'GET /rest/v1/notifications': unreachable };
  backend([row(1)], answers);
  openPart(<Bell />, sessionOf(SOMEBODY));
  await user.click(await screen.findByRole('button', { name: 'Notifications, 1 unread' }));
  expect(await screen.findByText('Failed to load notifications')).toBeVisible();
  backend([row(1)]);
  await user.click(button('Try again'));
  expect(await screen.findByRole('link', { name: /Brand 1/ })).toBeVisible();
});

it('the page marks one or all as read', async () => {
  const requests = backend([row(3), row(2), row(1, { seen_at: '2026-03-08T00:00:00Z' })]);
  await openApp('/notifications', sessionOf(SOMEBODY));
  await user.click(await screen.findByRole('button', { name: 'Mark as read: Brand 3 sent you an enquiry.' }));
  expect(await screen.findByRole('button', { name: 'Notifications, 1 unread' })).toBeVisible();
  await user.click(button('Mark all as read'));
  await waitFor(() => expect(screen.queryByText('Mark all as read')).toBeNull());
  const marked = requests.filter(({ path }) => path.endsWith('mark_notifications_seen'));
  expect(marked.map(({ body }) => body)).toEqual([{ ids: [row(3).id] }, {}]);
  expect(await screen.findByRole('button', { name: 'Notifications' })).toBeVisible();
});

it('the page shows a failed mark as unread again', async () => {
  backend([row(1)], { 'POST /rest/v1/rpc/mark_notifications_seen': unreachable });
  await openApp('/notifications', sessionOf(SOMEBODY));
  await user.click(await screen.findByRole('button', { name: 'Mark as read: Brand 1 sent you an enquiry.' }));
  await waitFor(() => expect(toasts().join()).toContain('Not marked as read'));
  expect(await screen.findByRole('button', { name: 'Mark as read: Brand 1 sent you an enquiry.' })).toBeVisible();
});

it('the page says that there are none', async () => {
  backend([]);
  await openApp('/notifications', sessionOf(SOMEBODY));
  expect(await screen.findByText('No notifications yet')).toBeVisible();
});

it('a choice is saved at once', async () => {
  const requests = backend([]);
  await openApp('/notifications', sessionOf(SOMEBODY));
  const choice = await screen.findByRole('combobox', { name: 'A gig is closed' });
  expect(choice).toHaveTextContent('Daily at 8 am');
  expect(screen.getByRole('combobox', { name: 'A new enquiry for me' })).toHaveTextContent('At once');
  choice.focus();
  await user.keyboard('{Enter}');
  await user.click(await screen.findByRole('option', { name: 'Never' }));
  await waitFor(() => expect(choice).toHaveTextContent('Never'));
  const saved = requests.filter(({ path }) => path.endsWith('set_notification_delivery'));
  expect(saved.map(({ body }) => body)).toEqual([{ kinds: ['gig_closed'], delivery: 'off' }]);
});

it('visitors are asked to sign in', async () => {
  backend([]);
  await openApp('/notifications');
  expect(await screen.findByRole('heading', { name: 'Sign in to see your notifications' })).toBeVisible();
});

it('a mailed link does nothing before it is confirmed', async () => {
  const requests = backend([], { 'POST /functions/v1/unsubscribe': () => ({ kind: 'gig_closed' }) });
  await openApp('/unsubscribe?token=abc&kind=gig_closed');
  expect(await screen.findByText(/won’t get e-mails about “A gig is closed” anymore/)).toBeVisible();
  expect(requests).toEqual([]);
  await user.click(button('Unsubscribe'));
  expect(await screen.findByText('You are unsubscribed')).toBeVisible();
  expect(requests.map(({ path, body }) => [path, body])).toEqual([['/functions/v1/unsubscribe', { token: 'abc' }]]);
});

it('an expired link leads to the choices', async () => {
  backend([], { 'POST /functions/v1/unsubscribe': () => Response.json({ error: 'expired' }, { status: 404 }) });
  await openApp('/unsubscribe?token=abc');
  await user.click(await screen.findByRole('button', { name: 'Unsubscribe' }));
  expect(await screen.findByText('The link has expired')).toBeVisible();
  expect(screen.getByRole('link', { name: 'Choose your e-mails' })).toHaveAttribute('href', '/notifications#settings');
});

it('without a connection the page says so and can try again', async () => {
  backend([], { 'POST /functions/v1/unsubscribe': unreachable });
  await openApp('/unsubscribe?token=abc');
  await user.click(await screen.findByRole('button', { name: 'Unsubscribe' }));
  expect(await screen.findByText(/Check your connection/)).toBeVisible();
  backend([], { 'POST /functions/v1/unsubscribe': () => ({ kind: 'gig_closed' }) });
  await user.click(button('Unsubscribe'));
  expect(await screen.findByText('You are unsubscribed')).toBeVisible();
});

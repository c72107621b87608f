// The page with the account's own collaborations: each state, and how they end.
import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { accountAnswers, refused, SOMEBODY, serve, sessionOf } from '@/testing/backend';
import { button, byRole, errors, fill, openApp, toasts, user } from '@/testing/render';
import { canReview, partnerOf, sentenceOf } from './collaboration';
import type { Collaboration } from './queries';

afterEach(() => vi.unstubAllGlobals());

const WORK: Collaboration = {
  id: 'c1',
  created_at: '2026-01-01T04:00:00Z',
  source: 'application',
  title: 'A reel',
  influencer_id: 'p1',
  agency_id: 'b1',
  state: 'accepted',
  influencer_completed_at: null,
  client_completed_at: null,
  completed_at: null,
  cancelled_at: null,
  cancelled_by: null,
  reason: null,
  side: 'influencer',
  influencer_name: 'Nadia',
  client_name: 'Studio',
  influencer_email: 'nadia@example.test',
  client_email: 'studio@example.test',
  review_until: null,
  reviews: [],
};
const AT = '2026-01-02T04:00:00Z';
const COMPLETED: Collaboration = {
  ...WORK,
  state: 'completed',
  influencer_completed_at: AT,
  client_completed_at: AT,
  completed_at: AT,
  review_until: '2026-01-16T04:00:00Z',
};

const list = (rows: () => object[]) => () =>
  Response.json(rows(), { headers: { 'content-range': `0-${rows().length - 1}/${rows().length}` } });

it('names the other side, or says that it is gone', () => {
  expect(partnerOf(WORK)).toEqual({ name: 'Studio', email: 'studio@example.test', to: '/agency/b1' });
  expect(partnerOf({ ...WORK, side: 'client' })).toEqual({
    name: 'Nadia',
    email: 'nadia@example.test',
    to: '/profile/p1',
  });
  const gone = { ...WORK, agency_id: null, client_name: null, client_email: null };
  expect(partnerOf(gone)).toEqual({ name: 'Former member', email: null, to: undefined });
});

it('says what happened and what comes next', () => {
  expect(sentenceOf(WORK)).toBe('Once the work is done and paid, both sides mark it as completed.');
  expect(sentenceOf({ ...WORK, influencer_completed_at: AT })).toBe(
    'You marked it as completed on 2 Jan 2026. If Studio doesn’t respond, it’s completed on 9 Jan 2026.',
  );
  expect(sentenceOf({ ...WORK, client_completed_at: AT })).toBe(
    'Studio marked it as completed on 2 Jan 2026. If you don’t respond, it’s completed on 9 Jan 2026.',
  );
  expect(sentenceOf(COMPLETED)).toBe('Completed on 2 Jan 2026.');
  const cancelled = { ...WORK, state: 'cancelled', cancelled_at: AT } as const;
  expect(sentenceOf({ ...cancelled, cancelled_by: 'influencer' })).toBe('Cancelled by you on 2 Jan 2026.');
  expect(sentenceOf({ ...cancelled, cancelled_by: 'client' })).toBe('Cancelled by Studio on 2 Jan 2026.');
  expect(sentenceOf({ ...cancelled, cancelled_by: 'admin' })).toBe('Cancelled by an admin on 2 Jan 2026.');
  expect(sentenceOf({ ...cancelled, cancelled_by: 'deletion' })).toBe(
    'Cancelled on 2 Jan 2026 because a profile was deleted.',
  );
});

it('offers a review for 14 days, once, and not of somebody who left', () => {
  const end = Date.parse('2026-01-16T04:00:00Z');
  expect(canReview(COMPLETED, end - 1)).toBe(true);
  expect(canReview(COMPLETED, end)).toBe(false);
  expect(canReview(WORK, end - 1)).toBe(false);
  expect(canReview({ ...COMPLETED, client_name: null }, end - 1)).toBe(false);
  expect(canReview({ ...COMPLETED, reviews: [{ side: 'influencer', published_at: null }] }, end - 1)).toBe(false);
  expect(canReview({ ...COMPLETED, reviews: [{ side: 'client', published_at: AT }] }, end - 1)).toBe(true);
});

it('completes after a confirmation, and shows the new state', async () => {
  let work = WORK;
  const requests = serve({
    ...accountAnswers(SOMEBODY),
    'GET /rest/v1/collaborations': list(() => [work]),
    'POST /rest/v1/rpc/complete_collaboration': () => {
      work = { ...WORK, influencer_completed_at: AT };
      return Response.json('accepted');
    },
  });
  await openApp('/collaborations', sessionOf(SOMEBODY));
  expect(await screen.findByRole('heading', { level: 2, name: 'A reel' })).toBeVisible();
  expect(screen.getByRole('link', { name: 'studio@example.test' })).toHaveAttribute(
    'href',
    'mailto:studio@example.test',
  );
  await user.click(button('Mark as completed'));
  const dialog = await screen.findByRole('alertdialog');
  await user.dblClick(within(dialog).getByRole('button', { name: 'Mark as completed', hidden: true }));
  await waitFor(() => expect(toasts()).toContain('Completed. Waiting for Studio.'));
  expect(await screen.findByText(/^You marked it as completed on 2 Jan 2026/)).toBeVisible();
  expect(requests.filter(({ method }) => method === 'POST').map(({ body }) => body)).toContainEqual({
    collaboration_id: 'c1',
  });
  expect(screen.queryByRole('button', { name: 'Mark as completed' })).toBeNull();
});

it('cancels with a reason, and keeps it when the server refuses', async () => {
  const reasons: unknown[] = [];
  serve({
    ...accountAnswers(SOMEBODY),
    'GET /rest/v1/collaborations': list(() => [WORK]),
    'POST /rest/v1/rpc/cancel_collaboration': ({ body }) => {
      reasons.push(body);
      return refused(409, 'PT409', 'The collaboration is completed');
    },
  });
  await openApp('/collaborations', sessionOf(SOMEBODY));
  await user.click(await screen.findByRole('button', { name: 'Cancel collaboration' }));
  const dialog = await screen.findByRole('dialog');
  const confirm = within(dialog).getByRole('button', { name: 'Cancel collaboration', hidden: true });
  await user.click(confirm);
  expect(errors()).toEqual(['Reason is required']);
  await fill(byRole('textbox', /^Reason/), '  No time ');
  await user.click(confirm);
  await waitFor(() => expect(toasts().join()).toContain('The collaboration is completed'));
  expect(reasons).toEqual([{ collaboration_id: 'c1', reason: 'No time' }]);
  expect(byRole('textbox', /^Reason/)).toHaveValue('  No time ');
});

it('shows visitors where to sign in, and accounts without work what begins one', async () => {
  serve({});
  await openApp('/collaborations');
  expect(await screen.findByRole('heading', { name: 'Sign in to see your collaborations' })).toBeVisible();
  serve({ ...accountAnswers(SOMEBODY), 'GET /rest/v1/collaborations': list(() => []) });
  await openApp('/collaborations', sessionOf(SOMEBODY));
  expect(await screen.findByRole('heading', { name: 'No collaborations yet' })).toBeVisible();
});

// Reviews: the list of a profile, and the form with its real schema and client.
import { screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { accountAnswers, refused, SOMEBODY, serve, sessionOf, unreachable } from '@/testing/backend';
import { button, byRole, errors, fill, openApp, openPart, toasts, user } from '@/testing/render';
import { canReply } from './components/review-item';
import ReviewList from './components/review-list';
import type { Review } from './queries';

afterEach(() => vi.unstubAllGlobals());

const REVIEW: Review = {
  id: 'r1',
  side: 'client',
  rating: 4,
  text: 'Delivered on the day that was agreed.',
  paid_on_time: null,
  reply: null,
  published_at: new Date().toISOString(),
  influencers: null,
  agencies: { id: 'b1', name: 'Studio', company_name: 'Studio Sdn Bhd', logo_url: null },
};

const list = (rows: object[]) => () =>
  Response.json(rows, { headers: { 'content-range': `0-${rows.length - 1}/${rows.length}` } });

const SUBJECT = { kind: 'influencer', id: 'p1', name: 'Nadia', userId: SOMEBODY.id, rating: 4.5, count: 3 } as const;

it('shows stars, author and reply, and asks for what is published only', async () => {
  const requests = serve({
    'GET /rest/v1/reviews': list([
      { ...REVIEW, reply: 'Thank you!' },
      { ...REVIEW, id: 'r2', agencies: null, text: 'A second one, by a guest.' },
      { ...REVIEW, id: 'r3', side: 'influencer', agencies: null, paid_on_time: false, text: 'A third one.' },
    ]),
  });
  openPart(<ReviewList subject={SUBJECT} />);
  expect(await screen.findByRole('link', { name: 'Studio Sdn Bhd' })).toHaveAttribute('href', '/agency/b1');
  expect(screen.getByText('Reply from Nadia')).toBeVisible();
  expect(screen.getAllByRole('heading', { level: 3 }).map((author) => author.textContent)).toEqual([
    'Studio Sdn Bhd',
    'Client',
    'Former member',
  ]);
  expect(screen.getByText('Not paid on time')).toBeVisible();
  expect(screen.getAllByRole('img', { name: '4 out of 5 stars' })).toHaveLength(3);
  expect(screen.queryByRole('button', { name: 'Reply' })).toBeNull();
  expect(screen.queryByRole('button', { name: 'Hide' })).toBeNull();
  const asked = requests.find(({ path }) => path === '/rest/v1/reviews');
  expect(asked?.query.get('published_at')).toBe('not.is.null');
  expect(asked?.query.get('side')).toBe('eq.client');
});

it('lets the owner reply once, and keeps the text when that fails', async () => {
  const replies: unknown[] = [];
  const answers = {
    ...accountAnswers({ ...SOMEBODY, roles: ['influencer'] }),
    'GET /rest/v1/reviews': list([REVIEW]),
    'POST /rest/v1/rpc/reply_to_review': unreachable as () => Response,
  };
  serve(answers);
  openPart(<ReviewList subject={SUBJECT} />, sessionOf(SOMEBODY));
  await user.click(await screen.findByRole('button', { name: 'Reply' }));
  await user.click(button('Send reply'));
  expect(errors()).toEqual(['Reply is required']);
  await fill(byRole('textbox', /^Reply/), 'x'.repeat(1001));
  await user.click(button('Send reply'));
  expect(errors()).toEqual(['Write at most 1,000 characters']);
  await fill(byRole('textbox', /^Reply/), 'Thank you!');
  await user.click(button('Send reply'));
  await waitFor(() => expect(toasts().join()).toContain('Failed to send the reply'));
  expect(byRole('textbox', /^Reply/)).toHaveValue('Thank you!');
  Object.assign(answers, {
    'POST /rest/v1/rpc/reply_to_review': (sent: { body: unknown }) => {
      replies.push(sent.body);
      return new Response(null, { status: 204 });
    },
  });
  await user.click(button('Send reply'));
  await waitFor(() => expect(toasts()).toContain('Reply sent'));
  expect(replies).toEqual([{ review_id: 'r1', text: 'Thank you!' }]);
});

it('offers a reply for 28 days', () => {
  const published = Date.parse(REVIEW.published_at);
  const days = 24 * 60 * 60 * 1000;
  expect(canReply(REVIEW, published + 28 * days - 1)).toBe(true);
  expect(canReply(REVIEW, published + 28 * days)).toBe(false);
  expect(canReply({ ...REVIEW, reply: 'Thanks' }, published)).toBe(false);
});

const WORK = {
  id: 'c1',
  created_at: '2026-01-01T00:00:00Z',
  source: 'application',
  title: 'A reel',
  influencer_id: 'p1',
  agency_id: 'b1',
  state: 'completed',
  influencer_completed_at: '2026-01-02T00:00:00Z',
  client_completed_at: '2026-01-02T00:00:00Z',
  completed_at: '2026-01-02T00:00:00Z',
  cancelled_at: null,
  cancelled_by: null,
  reason: null,
  side: 'influencer',
  influencer_name: 'Nadia',
  client_name: 'Studio',
  influencer_email: 'nadia@example.test',
  client_email: 'studio@example.test',
  review_until: '2999-01-01T00:00:00Z',
  reviews: [] as object[],
};

it('writes one review, keeps it through a reload and a lost connection', async () => {
  const sent: unknown[] = [];
  let work: object = WORK;
  const answers = {
    ...accountAnswers({ ...SOMEBODY, roles: ['influencer'] }),
    'GET /rest/v1/collaborations': () => [work],
    'POST /rest/v1/reviews': unreachable as () => Response,
  };
  serve(answers);
  await openApp('/review/c1', sessionOf(SOMEBODY));
  expect(await screen.findByRole('heading', { level: 1, name: 'How was Studio?' })).toBeVisible();
  await user.click(button('Send review'));
  await waitFor(() => expect(errors()).toEqual(['Choose 1 to 5 stars']));
  await user.click(byRole('radio', '4 stars, Very good'));
  await user.click(button('Send review'));
  await waitFor(() => expect(errors()).toEqual(['Write at least 20 characters']));
  await waitFor(() => expect(byRole('textbox', /^Your review/)).toHaveFocus());
  await fill(byRole('textbox', /^Your review/), 'They knew what they wanted.');
  await user.click(byRole('radio', 'Yes'));
  await user.click(button('Send review'));
  await waitFor(() => expect(toasts().join()).toContain('Failed to send the review'));
  window.dispatchEvent(new Event('pagehide'));
  const kept = window.sessionStorage.getItem('serasi-draft-review-c1');
  expect(kept).toContain('They knew what they wanted.');

  Object.assign(answers, {
    'POST /rest/v1/reviews': ({ body }: { body: unknown }) => {
      sent.push(body);
      work = { ...WORK, reviews: [{ side: 'influencer', published_at: null }] };
      return new Response(null, { status: 201 });
    },
  });
  await user.dblClick(button('Send review'));
  expect(await screen.findByRole('heading', { level: 1, name: 'Thank you for your review' })).toBeVisible();
  expect(sent).toEqual([
    { collaboration_id: 'c1', rating: 4, text: 'They knew what they wanted.', paid_on_time: true },
  ]);
  expect(window.sessionStorage.getItem('serasi-draft-review-c1')).toBeNull();
});

it('says why there is no form', async () => {
  for (const [change, title] of [
    [{ state: 'accepted' }, 'Not completed yet'],
    [{ state: 'cancelled' }, 'This collaboration was cancelled'],
    [{ review_until: '2026-01-16T00:00:00Z' }, 'The review period has ended'],
    [{ reviews: [{ side: 'influencer', published_at: '2026-01-03' }] }, 'Thank you for your review'],
  ] as const) {
    serve({ ...accountAnswers(SOMEBODY), 'GET /rest/v1/collaborations': () => [{ ...WORK, ...change }] });
    await openApp('/review/c1', sessionOf(SOMEBODY));
    expect(await screen.findByRole('heading', { level: 1, name: title })).toBeVisible();
  }
  serve({ ...accountAnswers(SOMEBODY), 'GET /rest/v1/collaborations': () => refused(400, '22P02', 'no uuid') });
  await openApp('/review/c1', sessionOf(SOMEBODY));
  expect(await screen.findByRole('heading', { level: 1, name: 'Collaboration not found' })).toBeVisible();
});

it('lets a guest review with the token of a mail, which no request line shows', async () => {
  const sent: unknown[] = [];
  const work = {
    id: 'c1',
    title: 'A reel',
    influencer_name: 'Nadia',
    client_name: 'Mei',
    state: 'accepted',
    influencer_completed_at: '2026-01-02T00:00:00Z',
    client_completed_at: null,
    completed_at: null as string | null,
    review_until: null as string | null,
    reviewed: false,
  };
  const requests = serve({
    'POST /rest/v1/rpc/guest_collaboration': () => [work],
    'POST /rest/v1/rpc/review_as_guest': ({ body }) => {
      sent.push(body);
      Object.assign(work, { state: 'completed', review_until: '2999-01-01T00:00:00Z', reviewed: true });
      return new Response(null, { status: 204 });
    },
  });
  await openApp('/review/c1#token=secret');
  expect(await screen.findByRole('heading', { level: 1, name: 'How was Nadia?' })).toBeVisible();
  expect(screen.queryByText('Paid on time?')).toBeNull();
  await user.click(byRole('radio', '5 stars, Excellent'));
  await fill(byRole('textbox', /^Your review/), 'She was early, twice, and kind.');
  await user.click(button('Send review'));
  expect(await screen.findByRole('heading', { level: 1, name: 'Thank you for your review' })).toBeVisible();
  expect(sent).toEqual([{ token: 'secret', rating: 5, text: 'She was early, twice, and kind.' }]);
  expect(requests.filter(({ query }) => query.toString().includes('secret'))).toEqual([]);
});

// The admins' reports: the queue, and deciding about one report.
import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type Answers, accountAnswers, SOMEBODY, serve, sessionOf } from '@/testing/backend';
import { button, byRole, errors, fill, openPart, toasts, user } from '@/testing/render';
import { ReportDesk } from './components/report-desk';
import { ReportsPage } from './components/reports-page';
import { actionsFor, ageOf, comparedFields, REPORT_ADDRESS, textOf } from './reports';

afterEach(() => vi.unstubAllGlobals());

const admin = { ...SOMEBODY, roles: ['admin'] };
const REPORT = {
  id: 'e0000000-0000-4000-8000-000000000001',
  kind: 'gig',
  subject_id: 'd0000000-0000-4000-8000-000000000001',
  title: 'Hosts for a fair',
  reason: 'scam',
  text: 'They want a deposit',
  words: null,
  state: 'open',
  created_at: '2026-11-20T10:00:00Z',
  reporter_id: 'a0000000-0000-4000-8000-000000000002',
  snapshot: { title: 'Hosts for a fair', description: 'Pay a deposit first' },
  decided_at: null,
  report_decisions: {
    owner_id: 'a0000000-0000-4000-8000-000000000003',
    taken_by: null,
    taker: null,
    taken_at: null,
    decider: null,
    note: null,
    actions: [] as string[],
  },
};
const DESK = REPORT.report_decisions;
const TAKEN = {
  ...REPORT,
  state: 'taken',
  report_decisions: { ...DESK, taker: 'admin@example.test', taken_at: '2026-11-20T11:00:00Z' },
};

const backend = (report: () => object, more: Answers = {}) =>
  serve({
    ...accountAnswers(admin),
    'GET /rest/v1/reports': ({ query }) => (query.get('id')?.startsWith('neq') ? [] : [report()]),
    'GET /rest/v1/report_counts': () => [{ open: 1, taken: 0 }],
    'GET /rest/v1/profiles': () => [
      { id: REPORT.reporter_id, email: 'reporter@example.test' },
      { id: DESK.owner_id, email: 'agency@example.test' },
    ],
    'GET /rest/v1/blocked_senders': () => [],
    'POST /rest/v1/rpc/reported_now': () =>
      Response.json({ title: 'Hosts for a fair', description: 'Paid on the day' }),
    ...more,
  });
const open = () => openPart(<ReportDesk id={REPORT.id} />, sessionOf(admin));
const refusal = (status: number, code: string, message: string) => () =>
  Response.json({ code, message, details: null, hint: null }, { status });

describe('one report', () => {
  it('shows who reported what, and the snapshot beside the current text', async () => {
    backend(() => REPORT);
    open();
    expect(await screen.findByText('They want a deposit')).toBeVisible();
    for (const text of ['reporter@example.test', 'agency@example.test', 'Pay a deposit first', 'Paid on the day'])
      expect(screen.getByText(text)).toBeVisible();
    expect(screen.getByText('Changed since')).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Uphold' })).toBeNull();
  });

  it('is taken with the key t, once', async () => {
    let report: object = REPORT;
    const requests = backend(() => report, {
      'POST /rest/v1/rpc/decide_report': () => {
        report = TAKEN;
        return Response.json('taken');
      },
    });
    open();
    await screen.findByRole('button', { name: 'Take report' });
    await user.keyboard('t');
    expect(await screen.findByText(/^Taken by admin@example.test/)).toBeVisible();
    expect(requests.filter(({ path }) => path.endsWith('decide_report')).map(({ body }) => body)).toEqual([
      { report_id: REPORT.id, decision: 'taken' },
    ]);
  });

  it('is upheld with a note and actions, after a question', async () => {
    let report: object = TAKEN;
    const decided = {
      ...TAKEN,
      state: 'upheld',
      decided_at: '2026-11-20T12:00:00Z',
      report_decisions: {
        ...TAKEN.report_decisions,
        decider: 'admin@example.test',
        note: 'Fraud',
        actions: ['close_gig'],
      },
    };
    const requests = backend(() => report, {
      'POST /rest/v1/rpc/decide_report': () => {
        report = decided;
        return Response.json('upheld');
      },
    });
    open();
    await user.click(await screen.findByRole('button', { name: 'Uphold' }));
    await waitFor(() => expect(errors()).toEqual(['Explain the decision in the note']));
    await fill(screen.getByLabelText(/^Note/), ' Fraud ');
    await user.click(byRole('checkbox', /^Close the gig/));
    await user.click(button('Uphold'));
    const question = await screen.findByRole('alertdialog', { hidden: true });
    expect(question).toHaveTextContent('Close the gig');
    await user.click(within(question).getByRole('button', { name: 'Uphold', hidden: true }));
    expect(await screen.findByText('Fraud', { selector: 'p' })).toBeVisible();
    expect(requests.filter(({ path }) => path.endsWith('decide_report')).map(({ body }) => body)).toEqual([
      { report_id: REPORT.id, decision: 'upheld', note: 'Fraud', actions: ['close_gig'] },
    ]);
  });

  it('says when another admin was faster, and shows the result', async () => {
    let report: object = TAKEN;
    backend(() => report, {
      'POST /rest/v1/rpc/decide_report': () => {
        report = {
          ...TAKEN,
          state: 'dismissed',
          decided_at: '2026-11-20T12:00:00Z',
          report_decisions: { ...TAKEN.report_decisions, decider: 'other@example.test', note: 'All fine' },
        };
        return refusal(409, 'PT409', 'This report is already dismissed')();
      },
    });
    open();
    await fill(await screen.findByLabelText(/^Note/), 'Fraud');
    await user.click(button('Dismiss'));
    const question = await screen.findByRole('alertdialog', { hidden: true });
    await user.click(within(question).getByRole('button', { name: 'Dismiss', hidden: true }));
    await waitFor(() => expect(toasts().join()).toContain('This report is already dismissed'));
    expect(await screen.findByText('All fine')).toBeVisible();
  });

  it('lets an admin unblock the account', async () => {
    let blocked = true;
    const upheld = {
      ...TAKEN,
      state: 'upheld',
      decided_at: '2026-11-20T12:00:00Z',
      report_decisions: { ...TAKEN.report_decisions, decider: 'a@example.test', note: 'N', actions: ['block_sender'] },
    };
    backend(() => upheld, {
      'GET /rest/v1/blocked_senders': () => (blocked ? [{ id: 'b1' }] : []),
      'POST /rest/v1/rpc/unblock_sender': () => {
        blocked = false;
        return new Response(null, { status: 204 });
      },
    });
    open();
    await user.click(await screen.findByRole('button', { name: 'Unblock' }));
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Unblock' })).toBeNull());
  });

  it('shows a snapshot whose subject was deleted, and one that does not exist', async () => {
    backend(() => ({ ...REPORT, reporter_id: null }), { 'POST /rest/v1/rpc/reported_now': () => Response.json(null) });
    open();
    expect(await screen.findByText(/^It was deleted/)).toBeVisible();
    expect(screen.getByText('Former member')).toBeVisible();
    serve({ ...accountAnswers(admin), 'GET /rest/v1/reports': () => [] });
    open();
    expect(await screen.findByRole('heading', { name: 'Report not found' })).toBeVisible();
  });
});

describe('the queue', () => {
  it('asks for the oldest open ones, pages by key, and filters', async () => {
    const page = Array.from({ length: 50 }, (_, n) => ({ ...REPORT, id: `row-${n}`, title: `Gig ${n}` }));
    const requests = backend(() => REPORT, {
      'GET /rest/v1/reports': ({ query }) => (query.get('or') ? [{ ...REPORT, title: 'The last' }] : page),
    });
    openPart(<ReportsPage />, sessionOf(admin));
    await user.click(await screen.findByRole('button', { name: 'Load More' }));
    expect(await screen.findByText('The last')).toBeVisible();
    const [first, second] = requests.filter(({ path }) => path === '/rest/v1/reports').map(({ query }) => query);
    expect(first?.get('state')).toBe('eq.open');
    expect(first?.get('order')).toBe('created_at.asc,id.asc');
    expect(first?.get('select')).not.toContain('snapshot');
    expect(second?.get('or')).toContain('id.gt."row-49"');
    await user.click(button(/^In review/));
    await waitFor(() =>
      expect(requests.some(({ path, query }) => path === '/rest/v1/reports' && query.get('state') === 'eq.taken')).toBe(
        true,
      ),
    );
  });

  it('says when there are none, and when it fails', async () => {
    backend(() => REPORT, { 'GET /rest/v1/reports': () => [] });
    openPart(<ReportsPage />, sessionOf(admin));
    expect(await screen.findByText('No reports are waiting')).toBeVisible();
    backend(() => REPORT, { 'GET /rest/v1/reports': refusal(400, '42501', 'no') });
    openPart(<ReportsPage />, sessionOf(admin));
    expect(await screen.findByText('Error loading data')).toBeVisible();
  });
});

it('lists blocked senders, also guests, and unblocks them', async () => {
  let rows = [
    {
      id: 'b1',
      user_id: null,
      name: 'A guest',
      reason: 'Spam',
      blocker: 'a@example.test',
      created_at: '2026-11-20T10:00:00Z',
    },
  ];
  const requests = backend(() => REPORT, {
    'GET /rest/v1/blocked_senders': () => rows,
    'POST /rest/v1/rpc/unblock_sender': () => {
      rows = [];
      return new Response(null, { status: 204 });
    },
  });
  openPart(<ReportsPage />, sessionOf(admin));
  await user.click(await screen.findByRole('button', { name: 'Blocked senders' }));
  expect(await screen.findByText('Guest or former member')).toBeVisible();
  await user.click(byRole('button', 'Unblock A guest'));
  expect(await screen.findByText('No blocked senders')).toBeVisible();
  expect(requests.find(({ path }) => path.endsWith('unblock_sender'))?.body).toEqual({ block_id: 'b1' });
});

it('keeps valid filters only', () => {
  expect(REPORT_ADDRESS.read(new URLSearchParams('state=lost&kind=weather'))).toEqual({ state: 'open', kind: '' });
  const filters = { state: 'upheld', kind: 'gig' } as const;
  const params = REPORT_ADDRESS.write(filters, new URLSearchParams('other=1'));
  expect(params.toString()).toBe('other=1&state=upheld&kind=gig');
  expect(REPORT_ADDRESS.read(params)).toEqual(filters);
});

it('offers the actions that fit', () => {
  expect(actionsFor('gig').map(({ name }) => name)).toEqual(['close_gig', 'block_sender']);
  expect(actionsFor('vendor').map(({ name }) => name)).toEqual(['block_sender']);
});

it('names an age', () => {
  const now = Date.parse('2026-11-20T12:00:00Z');
  expect(ageOf('2026-11-20T11:15:00Z', now)).toBe('45 min');
  expect(ageOf('2026-11-19T11:00:00Z', now)).toBe('25 h');
  expect(ageOf('2026-11-08T12:00:00Z', now)).toBe('12 days');
  expect(ageOf('2026-11-20T12:00:05Z', now)).toBe('0 min');
});

it('reads a snapshot as text', () => {
  expect(textOf([{ title: 'Reel', price: 'RM 5' }, null, 'x'])).toBe('Reel · RM 5\nx');
  expect(comparedFields({ title: 'T', bio: 'a' }, { title: 'T', bio: 'b', location: '' })).toEqual([
    { name: 'title', label: 'Name or title', before: 'T', now: 'T' },
    { name: 'bio', label: 'Bio', before: 'a', now: 'b' },
  ]);
});

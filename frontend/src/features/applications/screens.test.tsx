// The pages of a gig, of one's own applications and of a gig's applicants, with their real clients.
import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { type Answers, accountAnswers, refused, SOMEBODY, serve, sessionOf, unreachable } from '@/testing/backend';
import { button, byRole, errors, fill, openApp, toasts, user } from '@/testing/render';

afterEach(() => vi.unstubAllGlobals());

const INFLUENCER = { ...SOMEBODY, roles: ['influencer'] };
const AGENCY = { ...SOMEBODY, roles: ['agency'] };
const PITCH = 'I have hosted ten food festivals.';

const gig = (more: object = {}) => ({
  id: 'g1',
  title: 'Hosts for a food festival',
  description: 'Three days.\nTwo hosts.',
  budget: 'RM 1,500',
  duration: '3 days',
  requirements: 'Malay',
  created_at: '2026-11-01T00:00:00Z',
  closes_on: '2026-12-24',
  places: 2,
  agencies: {
    id: 'a1',
    user_id: 'someone',
    name: 'Lumut Studio',
    logo_url: null,
    location: 'Ipoh',
    badge_type: 'gold',
  },
  gig_status: { state: 'open', accepted: 1 },
  gig_applications: [],
  ...more,
});

const application = (more: object = {}) => ({
  id: 'p1',
  gig_id: 'g1',
  gig_title: 'Hosts for a food festival',
  pitch: PITCH,
  quote: 1500,
  state: 'applied',
  created_at: '2026-11-02T00:00:00Z',
  decided_at: null,
  collaboration_id: null,
  ...more,
});

async function openGig(row: object | undefined, more: Answers = {}, admitted = true) {
  const answers: Answers = {
    ...accountAnswers(INFLUENCER),
    'GET /rest/v1/influencers': () => [{ id: 'i1', verified: admitted, approved: admitted }],
    'GET /rest/v1/gigs': () => (row ? [row] : []),
    'HEAD /rest/v1/gig_applications': () => new Response(null, { status: 200, headers: { 'content-range': '*/17' } }),
    ...more,
  };
  const requests = serve(answers);
  await openApp('/gigs/g1', sessionOf(INFLUENCER));
  return { answers, requests, sent: () => requests.filter((request) => request.method === 'POST') };
}

it('shows the whole gig, and sends one application', async () => {
  const { answers, sent } = await openGig(gig());
  expect(await screen.findByRole('heading', { level: 1, name: 'Hosts for a food festival' })).toBeInTheDocument();
  for (const text of ['RM 1,500', '3 days', 'Malay', '24 Dec 2026', '1 of 2 places taken', 'Never pay to get work.'])
    expect(screen.getByText(text)).toBeInTheDocument();
  expect(byRole('link', 'Lumut Studio')).toHaveAttribute('href', '/agency/a1');
  await waitFor(() => expect(screen.getByText('You can apply for 3 more gigs today.')).toBeInTheDocument());

  await fill(byRole('textbox', /^Why you/), 'Too short');
  await user.click(button('Send application'));
  await waitFor(() => expect(errors()).toEqual(['Write at least 20 characters']));
  expect(sent()).toEqual([]);

  await fill(byRole('textbox', /^Why you/), `  ${PITCH} `);
  await fill(byRole('textbox', /^Your quote/), 'RM 1,500');
  answers['POST /rest/v1/gig_applications'] = () => {
    answers['GET /rest/v1/gigs'] = () => [gig({ gig_applications: [application()] })];
    return [];
  };
  await user.dblClick(button('Send application'));
  expect(await screen.findByRole('heading', { name: 'Your application', hidden: true })).toBeInTheDocument();
  expect(sent().map(({ body }) => body)).toEqual([{ gig_id: 'g1', pitch: PITCH, quote: 1500 }]);
  expect(document.querySelector('[data-state=applied]')).toHaveTextContent('Applied');
});

it('says why an application was refused, and keeps what was typed', async () => {
  const { answers } = await openGig(gig());
  await screen.findByRole('heading', { level: 1, name: /^Hosts/ });
  await fill(byRole('textbox', /^Why you/), PITCH);
  for (const [answer, message] of [
    [unreachable, /server can't be reached/],
    [() => refused(409, 'PT409', 'This gig is full'), /This gig is full/],
    [() => refused(403, '42501', 'new row violates'), /approved and verified/],
    [() => refused(429, 'PT429', 'You can apply for 20 gigs a day'), /20 gigs a day/],
  ] as const) {
    answers['POST /rest/v1/gig_applications'] = answer;
    await user.click(button('Send application'));
    await waitFor(() => expect(toasts().join()).toMatch(message));
    await waitFor(() => expect(button('Send application')).toBeEnabled());
  }
  expect(byRole('textbox', /^Why you/)).toHaveValue(PITCH);
});

it.each([
  [{ gig_status: { state: 'full', accepted: 2 } }, 'All places are taken'],
  [{ gig_status: { state: 'closed', accepted: 0 } }, 'This gig is closed'],
  [{ gig_applications: [application({ state: 'shortlisted' })] }, 'Your application'],
  [{ gig_applications: [application({ state: 'withdrawn' })] }, 'Apply again'],
  [{ agencies: { ...gig().agencies, user_id: INFLUENCER.id } }, 'Your gig'],
])('beside the gig %#: %s', async (more, title) => {
  await openGig(gig(more));
  expect(await screen.findByRole('heading', { level: 2, name: title, hidden: true })).toBeInTheDocument();
});

it('a gig that was removed, and one that this account may not see', async () => {
  await openGig(undefined);
  expect(await screen.findByRole('heading', { name: 'This gig was removed', hidden: true })).toBeInTheDocument();
  await openGig(undefined, {}, false);
  expect(
    await screen.findByRole('heading', { name: 'Approval & Verification Required', hidden: true }),
  ).toBeInTheDocument();
});

it('lists the own applications, also of a removed gig, and withdraws one after asking', async () => {
  let first = application({ gigs: { agencies: { id: 'a1', name: 'Lumut Studio' } } });
  const requests = serve({
    ...accountAnswers(INFLUENCER),
    'GET /rest/v1/influencers': () => [{ id: 'i1' }],
    'GET /rest/v1/gig_applications': () => [
      first,
      application({ id: 'p2', gig_id: null, gig_title: 'Reels', state: 'declined', gigs: null }),
    ],
    'POST /rest/v1/rpc/withdraw_application': () => {
      first = { ...first, state: 'withdrawn' };
      return { id: 'p1', state: 'withdrawn' };
    },
  });
  await openApp('/applications', sessionOf(INFLUENCER));
  expect(await screen.findByRole('link', { name: 'Hosts for a food festival', hidden: true })).toHaveAttribute(
    'href',
    '/gigs/g1',
  );
  expect(screen.getByText('This gig was removed')).toBeInTheDocument();
  expect(screen.queryByRole('link', { name: 'Reels' })).toBeNull();
  await user.click(button(/^Withdraw/));
  await user.click(button('Withdraw application'));
  await waitFor(() => expect(document.querySelector('[data-state=withdrawn]')).toBeInTheDocument());
  expect(requests.find(({ path }) => path.endsWith('withdraw_application'))?.body).toEqual({ application_id: 'p1' });
  const list = requests.find(({ path }) => path === '/rest/v1/gig_applications');
  expect(list?.query.get('influencer_id')).toBe('eq.i1');
});

const person = (name: string) => ({ id: `i-${name}`, name, username: name.toLowerCase(), category: 'Food', bio: null });

async function openApplicants(rows: object[], more: Answers = {}) {
  const own = gig({ agencies: { ...gig().agencies, user_id: AGENCY.id } });
  const requests = serve({
    ...accountAnswers(AGENCY),
    'GET /rest/v1/gigs': () => [own],
    'GET /rest/v1/gig_applications': () => rows,
    ...more,
  });
  await openApp('/gigs/g1/applicants', sessionOf(AGENCY));
  await screen.findByRole('heading', { level: 1, name: 'Applicants', hidden: true });
  return requests;
}

it('decides about an applicant beside the profile, and declines several after asking', async () => {
  const rows = [
    application({ id: 'p1', influencers: person('Aina') }),
    application({ id: 'p2', influencers: person('Budi'), quote: null }),
    application({ id: 'p3', influencers: person('Chong'), state: 'shortlisted' }),
    application({ id: 'p4', influencers: null, state: 'withdrawn' }),
  ];
  const requests = await openApplicants(rows, {
    'POST /rest/v1/rpc/decide_application': () => ({ id: 'p1', state: 'shortlisted' }),
    'POST /rest/v1/rpc/decline_applications': () => [
      { id: 'p1', state: 'declined' },
      { id: 'p2', state: 'withdrawn' },
    ],
  });
  const column = await screen.findByRole('region', { name: 'Applied', hidden: true });
  expect(within(column).getAllByRole('listitem', { hidden: true })).toHaveLength(2);
  expect(screen.getByText('Former member')).toBeInTheDocument();

  await user.click(button(/Aina/));
  expect(await screen.findByRole('heading', { name: 'Aina', hidden: true })).toBeInTheDocument();
  expect(screen.getByText(PITCH)).toBeInTheDocument();
  await user.keyboard('{ArrowDown}');
  expect(button(/Budi/)).toHaveFocus();
  await user.click(button('Shortlist'));
  await waitFor(() => expect(toasts()).toContain('Shortlisted: Aina'));

  for (const name of ['Aina', 'Budi']) await user.click(byRole('checkbox', `Select ${name}`));
  expect(screen.getByText('2 selected')).toBeInTheDocument();
  await user.click(button('Decline 2'));
  const dialog = await screen.findByRole('alertdialog', { name: 'Decline 2 applicants?', hidden: true });
  expect(requests.some(({ path }) => path.endsWith('decline_applications'))).toBe(false);
  await user.click(within(dialog).getByRole('button', { name: 'Decline 2', hidden: true }));
  await waitFor(() => expect(toasts()).toContain('Declined 1 of 2 applicants'));
  const bodies = requests.filter(({ path }) => path.includes('/rpc/')).map(({ body }) => body);
  expect(bodies).toEqual([{ application_id: 'p1', decision: 'shortlisted' }, { application_ids: ['p1', 'p2'] }]);
});

it("accepts after asking, and says why it can't", async () => {
  const requests = await openApplicants([application({ state: 'shortlisted', influencers: person('Aina') })], {
    'POST /rest/v1/rpc/decide_application': () =>
      refused(409, 'PT409', 'All places are taken, so the application stays shortlisted'),
  });
  await user.click(await screen.findByRole('button', { name: /Aina/, hidden: true }));
  await user.click(button('Accept'));
  const dialog = await screen.findByRole('alertdialog', { name: 'Accept Aina?', hidden: true });
  expect(requests.some(({ path }) => path.includes('/rpc/'))).toBe(false);
  await user.click(within(dialog).getByRole('button', { name: 'Accept', hidden: true }));
  await waitFor(() => expect(toasts().join()).toContain('All places are taken'));
});

it("shows nobody another agency's applicants", async () => {
  serve({ ...accountAnswers(AGENCY), 'GET /rest/v1/gigs': () => [gig()] });
  await openApp('/gigs/g1/applicants', sessionOf(AGENCY));
  expect(await screen.findByRole('heading', { name: 'Gig not found', hidden: true })).toBeInTheDocument();
});

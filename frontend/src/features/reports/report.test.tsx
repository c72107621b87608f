// The form that reports something, with a fake backend.
import { cleanup, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { queryClient } from '@/lib/query-client';
import { type Answers, accountAnswers, SOMEBODY, serve, sessionOf } from '@/testing/backend';
import { button, byRole, errors, fill, openApp, openPart, toasts, user } from '@/testing/render';
import { ReportPage } from './components/report-page';
import { reportForm } from './schema';

afterEach(() => vi.unstubAllGlobals());

const ID = 'd0000000-0000-4000-8000-000000000001';
const PATH = `/report/agency/${ID}`;
const account = { ...SOMEBODY, roles: ['influencer'] };

function backend(more: Answers = {}) {
  return serve({
    ...accountAnswers(account),
    'GET /rest/v1/agencies': () => [{ name: 'Gema Agency' }],
    'GET /rest/v1/reports': () => [],
    'POST /rest/v1/reports': () => new Response(null, { status: 201 }),
    ...more,
  });
}

const open = (kind: 'agency' | 'review' = 'agency') => openPart(<ReportPage kind={kind} id={ID} />, sessionOf(account));
const text = () => screen.getByLabelText(/^What happened/);
const title = (name: string) => screen.findByRole('heading', { level: 1, name, hidden: true });
const refusal = (status: number, code: string, message: string) => () =>
  Response.json({ code, message, details: null, hint: null }, { status });

it('sends the reason and the text once, and says thank you', async () => {
  const requests = backend();
  open();
  await title('Report this agency');
  expect(screen.getByText('Gema Agency')).toBeVisible();
  await user.click(byRole('radio', /^Asks for money/));
  await fill(text(), '  They want a deposit  ');
  await Promise.all([user.click(button('Send report')), user.click(button('Send report'))]);
  await title('Thank you for your report');
  const sent = requests.filter(({ method, path }) => method === 'POST' && path === '/rest/v1/reports');
  expect(sent.map(({ body }) => body)).toEqual([
    { kind: 'agency', subject_id: ID, reason: 'scam', text: 'They want a deposit' },
  ]);
});

it('asks only for own open reports about this subject', async () => {
  const requests = backend();
  open();
  await title('Report this agency');
  const asked = requests.find(({ path }) => path === '/rest/v1/reports')?.query;
  expect(Object.fromEntries(asked ?? [])).toMatchObject({
    reporter_id: `eq.${account.id}`,
    kind: 'eq.agency',
    subject_id: `eq.${ID}`,
    state: 'in.(open,taken)',
  });
});

it('needs a reason, and a text for another reason', async () => {
  const requests = backend();
  open();
  await title('Report this agency');
  await user.click(button('Send report'));
  await waitFor(() => expect(errors()).toEqual(['Choose a reason']));
  await user.click(byRole('radio', /^Something else/));
  await user.click(button('Send report'));
  await waitFor(() => expect(errors()).toEqual(['Describe what is wrong']));
  await waitFor(() => expect(text()).toHaveFocus());
  await fill(text(), 'x'.repeat(1001));
  await user.click(button('Send report'));
  await waitFor(() => expect(errors()).toEqual(['The text can have at most 1,000 characters']));
  expect(requests.some(({ method, path }) => method === 'POST' && path === '/rest/v1/reports')).toBe(false);
});

it('keeps what was typed through a reload', async () => {
  backend();
  open();
  await title('Report this agency');
  await user.click(byRole('radio', /^Spam/));
  await fill(text(), 'Half a sentence');
  window.dispatchEvent(new Event('pagehide'));
  const kept = { ...window.sessionStorage };
  cleanup();
  queryClient.clear();
  expect(Object.keys(kept)).toContain(`serasi-draft-report-agency-${ID}`);
  backend();
  open();
  // openPart() clears the storage; put back what a reload keeps.
  for (const [key, value] of Object.entries(kept)) window.sessionStorage.setItem(key, value);
  await title('Report this agency');
  await waitFor(() => expect(text()).toHaveValue('Half a sentence'));
  expect(byRole('radio', /^Spam/)).toBeChecked();
});

it('says when it was reported before', async () => {
  backend({ 'GET /rest/v1/reports': () => [{ created_at: '2026-11-20T10:00:00Z' }] });
  open();
  await title('You already reported this agency');
  expect(screen.getByText(/We received your report on 20 Nov 2026/)).toBeVisible();
});

it('says so too when the answer to the first attempt was lost', async () => {
  let stored = false;
  backend({
    'GET /rest/v1/reports': () => (stored ? [{ created_at: '2026-11-20T10:00:00Z' }] : []),
    'POST /rest/v1/reports': () => {
      stored = true;
      return refusal(409, '23505', 'You have already reported this')();
    },
  });
  open();
  await title('Report this agency');
  await user.click(byRole('radio', /^Spam/));
  await user.click(button('Send report'));
  await title('You already reported this agency');
});

it('says when there is nothing to report', async () => {
  backend({ 'GET /rest/v1/agencies': () => [] });
  open();
  await title('There is nothing to report');
});

it('shows the limit and keeps the form', async () => {
  const limit = 'You can send 10 reports a day, please try again later';
  backend({ 'POST /rest/v1/reports': refusal(429, 'PT429', limit) });
  open();
  await title('Report this agency');
  await user.click(byRole('radio', /^Spam/));
  await fill(text(), 'Again');
  await user.click(button('Send report'));
  await waitFor(() => expect(toasts().join()).toContain(limit));
  expect(text()).toHaveValue('Again');
});

it('reports what has no name, too', async () => {
  backend();
  open('review');
  await title('Report this review');
});

it.each(['/report/weather/1', `/report/weather/${ID}`, '/report/agency/1'])('refuses the address %s', async (path) => {
  backend();
  await openApp(path);
  await title('There is nothing to report');
});

it('asks visitors to sign in, and comes back afterwards', async () => {
  backend();
  await openApp(PATH);
  await title('Sign in to report this agency');
  await user.click(byRole('link', 'Influencer Login'));
  await title('Influencer portal');
  await fill(screen.getByLabelText(/^E-mail/), SOMEBODY.email);
  await fill(screen.getByLabelText(/^Password/), 'serasi-demo');
  await user.click(button('Sign In'));
  await title('Report this agency');
  expect(window.location.pathname).toBe(PATH);
  // The next sign-in leads to the dashboard again.
  await waitFor(() => expect(window.sessionStorage.getItem('serasi-return-to')).toBeNull());
});

it('accepts each reason at the limit', () => {
  expect(reportForm.safeParse({ reason: 'spam', text: 'x'.repeat(1000) }).success).toBe(true);
  expect(reportForm.safeParse({ reason: 'words', text: '' }).success).toBe(false);
});

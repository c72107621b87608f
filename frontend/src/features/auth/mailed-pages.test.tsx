// The pages that e-mailed links lead to, with a fake backend: requesting a link, every outcome of a link, and the new
// password. e2e/auth-mail.spec.ts uses real e-mails.
import { act, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { SESSION_KEY } from '@/lib/stored-session';
import { type Answers, accountAnswers, refused, SOMEBODY, serve, sessionOf, unreachable } from '@/testing/backend';
import { button, byRole, errors, fill, openApp, user } from '@/testing/render';
import { redirectArrival } from './arrival';

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const VERIFY = 'POST /auth/v1/verify';
const account = (role: string) => ({ ...SOMEBODY, roles: [role] });
const linkPath = (type: string, more = '') => `/auth/confirm?token_hash=abc123&type=${type}${more}`;
const title = () => document.querySelector('h1');
const email = () => screen.getByLabelText(/^E-mail/);
const newPassword = () => screen.getByLabelText(/^New password/);
const alert = async () => screen.findByRole('alert', { hidden: true });
const atPath = (path: string | RegExp) =>
  waitFor(() => expect(window.location.pathname + window.location.search).toMatch(path));

/** The response to verifying the link: a session with this role. */
const verifiedAs = (role: string): Answers => ({
  ...accountAnswers(account(role)),
  [VERIFY]: () => sessionOf(account(role)),
});
const expired = () => refused(403, 'otp_expired', 'Email link is invalid or has expired');

it.each([
  ['signup', 'Confirm my e-mail', /^\/auth\/confirmed\?/],
  ['recovery', 'Choose a new password', /^\/auth\/new-password$/],
  ['invite', 'Accept the invitation', /^\/auth\/new-password$/],
])('opening a %s link does not use it up; pressing its button does, once', async (type, action, next) => {
  const requests = serve(verifiedAs('influencer'));
  const verifications = () => requests.filter((sent) => sent.path === '/auth/v1/verify').map((sent) => sent.body);
  await openApp(linkPath(type));
  await screen.findByText(action);
  expect(verifications()).toEqual([]);
  await user.dblClick(button(action));
  await atPath(next);
  expect(verifications()).toMatchObject([{ token_hash: 'abc123', type }]);
  // Back must not return to the link.
  expect(window.location.href).not.toContain('abc123');
});

it("confirming an e-mail address leads to its owner's dashboard", async () => {
  serve(verifiedAs('vendor'));
  // The server sends the full URL, here that of the home page.
  await openApp(linkPath('signup', `&redirect_to=${encodeURIComponent(`${window.location.origin}/`)}`));
  await user.click(button('Confirm my e-mail'));
  await waitFor(() => expect(title()).toHaveTextContent('Your e-mail is confirmed'));
  await waitFor(() => expect(title()).toHaveFocus());
  expect(document.body).toHaveTextContent(`You're signed in as ${SOMEBODY.email}.`);
  await user.click(byRole('link', 'Go to Dashboard'));
  await atPath(/^\/vendor-dashboard$/);
});

it.each(['https://evil.test/', '//evil.test', 'javascript:alert(1)', '/vendor-dashboard'])(
  "a link to %s leads to the account's own dashboard instead",
  async (place) => {
    serve(verifiedAs('agency'));
    await openApp(linkPath('signup', `&next=${encodeURIComponent(place)}`));
    await user.click(button('Confirm my e-mail'));
    expect(await screen.findByText('Go to Dashboard')).toHaveAttribute('href', '/agency-dashboard');
  },
);

it.each([
  ['recovery', 'Choose a new password', 'Your password has not changed.', '/auth/forgot-password'],
  ['signup', 'Confirm my e-mail', 'If you already confirmed your e-mail, sign in.', '/auth/send-confirmation'],
  ['email_change', 'Confirm the change', 'Your e-mail has not changed.', '/auth/send-change'],
])('an expired %s link offers a new one', async (type, action, text, again) => {
  const requests = serve({
    [VERIFY]: expired,
    'POST /auth/v1/recover': () => ({}),
    'POST /auth/v1/resend': () => ({}),
  });
  await openApp(linkPath(type, '&next=%2Fagency-dashboard'));
  await user.click(button(action));
  expect(await alert()).toHaveTextContent('This link no longer works');
  expect(await alert()).toHaveTextContent(text);
  expect(byRole('link', 'Back to Sign In')).toHaveAttribute('href', '/agency-auth');
  await user.click(byRole('link', 'Send a new link'));
  await atPath(`${again}?portal=agency`);
  await fill(email(), 'nadia@example.test');
  await user.click(button(/^Send link/));
  await waitFor(() => expect(title()).toHaveTextContent('Check your e-mail'));
  expect(requests.at(-1)?.body).toMatchObject(type === 'recovery' ? { email: 'nadia@example.test' } : { type });
});

it.each([
  '/auth/confirm',
  '/auth/confirm?token_hash=a&type=toString',
  '/auth/confirm?type=signup',
  // Only the browser that requested the code has the key for it.
  '/auth/confirm?code=5a1b1b6e-0000-4000-8000-000000000000',
])('%s is shown as a link that no longer works', async (path) => {
  serve({});
  await openApp(path);
  await waitFor(() => expect(title()).toHaveTextContent('This link no longer works'));
});

it('a link can be tried again after a rate limit or an outage', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  const answers = verifiedAs('influencer');
  const works = answers[VERIFY];
  serve(answers);
  answers[VERIFY] = () => refused(429, 'over_request_rate_limit', 'Request rate limit reached');
  await openApp(linkPath('signup'));
  await user.click(button('Confirm my e-mail'));
  expect(await alert()).toHaveTextContent('Request rate limit reached');
  answers[VERIFY] = unreachable;
  await user.click(button('Confirm my e-mail'));
  await waitFor(async () => expect(await alert()).toHaveTextContent('An unexpected error occurred'));
  if (works) answers[VERIFY] = works;
  await user.click(button('Confirm my e-mail'));
  await waitFor(() => expect(title()).toHaveTextContent('Your e-mail is confirmed'));
});

it('each half of an e-mail change says which half it is', async () => {
  serve({ [VERIFY]: () => ({ msg: 'Confirmation link accepted.', code: '200' }) });
  await openApp(linkPath('email_change'));
  await user.click(button('Confirm the change'));
  await waitFor(() => expect(title()).toHaveTextContent('First address confirmed'));
  serve(verifiedAs('vendor'));
  await openApp(linkPath('email_change'));
  await user.click(button('Confirm the change'));
  await waitFor(() => expect(title()).toHaveTextContent('Your e-mail has changed'));
  expect(document.body).toHaveTextContent(`From now on, sign in with ${SOMEBODY.email}.`);
});

it.each([
  ['#error=access_denied&error_code=otp_expired&error_description=Email+link+is+invalid&sb=', '/'],
  ['#error=access_denied&error_code=otp_expired&error_description=Email+link+is+invalid&sb=', '/vendor-dashboard'],
  ['?error_code=otp_expired#error=access_denied&error_code=otp_expired', '/auth/confirm'],
])('an error that the server appended (%s) is shown from %s', async (appended, path) => {
  serve({});
  window.history.replaceState(null, '', path + appended);
  redirectArrival();
  await openApp(window.location.pathname + window.location.search);
  await waitFor(() => expect(title()).toHaveTextContent('This link no longer works'));
});

it('the first half of an e-mail change that the server confirmed is shown', async () => {
  serve({});
  window.history.replaceState(null, '', '/#message=Confirmation+link+accepted.+Please+proceed&sb=');
  redirectArrival();
  await openApp(window.location.pathname + window.location.search);
  await waitFor(() => expect(title()).toHaveTextContent('First address confirmed'));
});

it.each([
  ['/auth', '/dashboard'],
  ['/agency-auth', '/agency-dashboard'],
  ['/vendor-auth', '/vendor-dashboard'],
  ['/admin/login', '/admin'],
])('from %s a link is requested for the typed e-mail', async (path, dashboard) => {
  const requests = serve({ 'POST /auth/v1/recover': () => ({}) });
  await openApp(path);
  await fill(email(), 'nadia@example.test');
  await user.click(byRole('link', 'Forgot password?'));
  await waitFor(() => expect(document.title).toBe('Forgot password · Serasi'));
  expect(email()).toHaveValue('nadia@example.test');
  expect(window.location.href).not.toContain('nadia');
  expect(byRole('link', 'Back to Sign In')).toHaveAttribute('href', path);
  await user.click(button('Send link'));
  await waitFor(() => expect(title()).toHaveTextContent('Check your e-mail'));
  await waitFor(() => expect(title()).toHaveFocus());
  expect(document.body).toHaveTextContent('If there is an account for nadia@example.test');
  expect(new URL(requests[0]?.query.get('redirect_to') ?? '').pathname).toBe(dashboard);
});

it('the response is the same if an e-mail was sent a moment ago', async () => {
  const limited = 'For security purposes, you can only request this after 51 seconds.';
  serve({ 'POST /auth/v1/recover': () => refused(429, 'over_email_send_rate_limit', limited) });
  await openApp('/auth/forgot-password');
  await user.click(button('Send link'));
  await waitFor(() => expect(errors()).toEqual(['Invalid email address']));
  await fill(email(), 'nadia@example.test');
  await user.click(button('Send link'));
  await waitFor(() => expect(title()).toHaveTextContent('Check your e-mail'));
  expect(button(/^Send again in (1:00|0:5\d)$/)).toBeDisabled();
});

it('the link can be requested again after a minute, or for another address', async () => {
  const requests = serve({ 'POST /auth/v1/recover': () => ({}) });
  await openApp('/auth/forgot-password');
  await fill(email(), 'nadia@example.test');
  vi.useFakeTimers({ shouldAdvanceTime: true });
  await user.click(button('Send link'));
  await waitFor(() => expect(button(/^Send again in/)).toBeDisabled());
  await act(() => vi.advanceTimersByTimeAsync(61_000));
  await user.click(button('Send again'));
  await waitFor(() => expect(button(/^Send again in/)).toBeDisabled());
  expect(requests).toHaveLength(2);
  await user.click(button('Use another e-mail'));
  expect(email()).toHaveValue('nadia@example.test');
});

it('a rate limit is shown, and the typed e-mail address is kept', async () => {
  serve({ 'POST /auth/v1/recover': () => refused(429, 'over_request_rate_limit', 'Request rate limit reached') });
  await openApp('/auth/forgot-password');
  await fill(email(), 'nadia@example.test');
  await user.click(button('Send link'));
  expect(await alert()).toHaveTextContent('Request rate limit reached');
  expect(await alert()).toHaveTextContent('Try again in a few minutes.');
  expect(email()).toHaveValue('nadia@example.test');
});

it('a new password is validated, rejected at its field, then saved once', async () => {
  const agency = account('agency');
  const refusals = [
    () => refused(422, 'same_password', 'New password should be different from the old password.'),
    () => refused(422, 'weak_password', 'Password is known to be weak.', { weak_password: { reasons: ['pwned'] } }),
  ];
  const requests = serve({
    ...accountAnswers(agency),
    'PUT /auth/v1/user': () => refusals.shift()?.() ?? sessionOf(agency).user,
  });
  await openApp('/auth/new-password?next=/vendor-dashboard', sessionOf(agency));
  await waitFor(() => expect(newPassword()).toHaveFocus());
  expect(document.body).toHaveTextContent(`For ${agency.email}.`);
  expect(newPassword()).toHaveAttribute('autocomplete', 'new-password');
  await fill(newPassword(), 'rahsi');
  await user.click(button('Save new password'));
  await waitFor(() => expect(errors()).toEqual(['Password must be at least 6 characters']));
  await fill(newPassword(), 'rahsia88');
  for (const message of ['New password should be different from the old password.', 'Password is known to be weak.']) {
    await user.click(button('Save new password'));
    await waitFor(() => expect(errors()).toEqual([message]));
    expect(newPassword()).toHaveAttribute('aria-invalid', 'true');
    expect(newPassword()).toHaveValue('rahsia88');
  }
  await user.dblClick(button('Save new password'));
  // The link names the vendor dashboard, but this account is an agency.
  await atPath(/^\/agency-dashboard$/);
  expect(await screen.findByText('Your password has changed')).toBeVisible();
  expect(requests.filter((sent) => sent.method === 'PUT')).toHaveLength(3);
});

it('a session that has ended in the meantime is shown as an expired link', async () => {
  const gone = () => refused(403, 'session_not_found', 'Session from session_id claim in JWT does not exist');
  serve({ ...accountAnswers(account('agency')), 'PUT /auth/v1/user': gone });
  await openApp('/auth/new-password', sessionOf(account('agency')));
  await waitFor(() => expect(newPassword()).toBeVisible());
  await fill(newPassword(), 'rahsia88');
  await user.click(button('Save new password'));
  await waitFor(() => expect(title()).toHaveTextContent('This link no longer works'));
  expect(window.localStorage.getItem(SESSION_KEY)).toBeNull();
});

it('without a session the new-password page leads to the request for a link', async () => {
  serve({});
  await openApp('/auth/new-password?next=/vendor-dashboard');
  await atPath(/^\/auth\/forgot-password\?portal=vendor$/);
});

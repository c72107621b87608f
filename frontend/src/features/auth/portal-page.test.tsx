// The four sign-in pages with a fake backend: which error is shown, who is admitted, who is rejected.
import { screen, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { SESSION_KEY } from '@/lib/stored-session';
import { type Answers, accountAnswers, refused, SOMEBODY, serve, sessionOf, unreachable } from '@/testing/backend';
import { button, byRole, errors, fill, openApp, toasts, user } from '@/testing/render';

afterEach(() => vi.unstubAllGlobals());

const PASSWORD = 'serasi-demo';
const email = () => screen.getByLabelText(/^E-mail/);
const password = () => screen.getByLabelText(/^Password/);
const storedSession = () => window.localStorage.getItem(SESSION_KEY);
const account = (...roles: string[]) => ({ ...SOMEBODY, roles });
/** The banner above the form; a toast shows the same text. */
const banner = async () => (await screen.findByRole('alert', { hidden: true })).textContent;

async function signIn(path: string, roles: string[], more: Answers = {}) {
  const requests = serve({ ...accountAnswers(account(...roles)), ...more });
  await openApp(path);
  await fill(email(), SOMEBODY.email);
  await fill(password(), PASSWORD);
  await user.click(button('Sign In'));
  return requests;
}

describe.each([
  ['/auth', 'Influencer portal', ['Agency Login', 'Vendor Login']],
  ['/agency-auth', 'Agency portal', ['Influencer Login', 'Vendor Login']],
  ['/vendor-auth', 'Vendor portal', ['Influencer Login', 'Agency Login']],
])('%s', (path, title, others) => {
  it('links to the other portals and shows only the first error, in both tabs', async () => {
    serve({});
    await openApp(path);
    expect(document.title).toBe(`${title} · Serasi`);
    expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent(title);
    expect(byRole('link', 'Back to Home')).toHaveAttribute('href', '/');
    for (const name of others) expect(byRole('link', name)).toBeVisible();
    for (const action of ['Sign In', 'Sign Up']) {
      await user.click(byRole('tab', action));
      await fill(email(), '');
      await fill(password(), '');
      await user.click(button(action));
      await waitFor(() => expect(errors()).toEqual(['Invalid email address']));
      await waitFor(() => expect(email()).toHaveFocus());
      await fill(email(), SOMEBODY.email);
      await fill(password(), '12345');
      await user.click(button(action));
      await waitFor(() => expect(errors()).toEqual(['Password must be at least 6 characters']));
      await waitFor(() => expect(password()).toHaveFocus());
    }
  });
});

it.each([
  ['/auth', 'agency', ['Access denied. This login is for influencers only.']],
  ['/auth', 'vendor', ['Access denied. This login is for influencers only.']],
  ['/auth', 'admin', ['Access denied. This login is for influencers only.']],
  ['/agency-auth', 'influencer', ['Access denied. This login is for agencies only.']],
  ['/agency-auth', 'vendor', ['Access denied. This login is for agencies only.']],
  ['/agency-auth', 'admin', ['Access denied. This login is for agencies only.']],
  ['/vendor-auth', 'influencer', ['Access denied', 'This account is not registered as a vendor']],
  ['/vendor-auth', 'agency', ['Access denied', 'This account is not registered as a vendor']],
  ['/vendor-auth', 'admin', ['Access denied', 'This account is not registered as a vendor']],
  ['/admin/login', 'influencer', ['Access denied', "You don't have admin privileges"]],
])('%s rejects the role %s and ends the session', async (path, role, texts) => {
  const requests = await signIn(path, [role]);
  for (const text of texts) expect(await banner()).toContain(text);
  await waitFor(() => expect(toasts()).toEqual([expect.stringContaining(texts[0] ?? '')]));
  expect(window.location.pathname).toBe(path);
  expect(email()).toHaveValue(SOMEBODY.email);
  expect(storedSession()).toBeNull();
  expect(requests.map((sent) => sent.path)).toContain('/auth/v1/logout');
});

it.each([
  ['/auth', ['agency'], 'Agency Login', '/agency-auth'],
  ['/vendor-auth', ['influencer'], 'Influencer Login', '/auth'],
  ['/agency-auth', ['superadmin'], 'Admin login', '/admin/login'],
  ['/admin/login', ['vendor'], 'Vendor Login', '/vendor-auth'],
])('%s leads the roles %s to their own portal, and keeps the e-mail address', async (path, roles, name, login) => {
  await signIn(path, roles);
  await banner();
  expect(byRole('link', `Go to ${name}`)).toHaveAttribute('href', login);
  await user.click(byRole('link', `Go to ${name}`));
  await waitFor(() => expect(window.location.pathname).toBe(login));
  await waitFor(() => expect(email()).toHaveValue(SOMEBODY.email));
});

it('leads an account without a role to no other portal', async () => {
  await signIn('/auth', []);
  await banner();
  expect(screen.queryByText(/^Go to/)).toBeNull();
});

it('shows the chosen package in both tabs and while an e-mail waits for confirmation', async () => {
  serve({ 'POST /auth/v1/signup': () => ({ ...sessionOf(SOMEBODY).user, identities: [{ id: '1' }] }) });
  await openApp('/agency-auth?tab=sign-up&package=gold');
  const chosen = () => screen.getByText(/^Your package/);
  expect(chosen()).toHaveTextContent('Your package: Gold, RM 1,000 / year');
  expect(byRole('link', 'Change package')).toHaveAttribute('href', '/pricing?for=agencies');
  await user.click(byRole('tab', 'Sign In'));
  expect(chosen()).toBeVisible();
  await user.click(byRole('tab', 'Sign Up'));
  await fill(email(), SOMEBODY.email);
  await fill(password(), PASSWORD);
  await user.click(button('Sign Up'));
  await screen.findByRole('status', { hidden: true });
  await waitFor(() => expect(byRole('tab', 'Sign In')).toHaveAttribute('aria-selected', 'true'));
  expect(chosen()).toBeVisible();
});

it.each(['/vendor-auth?package=platinum', '/auth?package=lead', '/auth'])('%s shows no package', async (path) => {
  serve({});
  await openApp(path);
  expect(screen.queryByText(/^Your package/)).toBeNull();
});

it.each([
  ['influencer', '/auth', '/dashboard', ['Signed in successfully!']],
  ['agency', '/agency-auth', '/agency-dashboard', ['Signed in successfully!']],
  ['vendor', '/vendor-auth', '/vendor-dashboard', ['Welcome back!', 'You have successfully signed in']],
  ['admin', '/admin/login', '/admin', ['Welcome back!', 'Admin login successful']],
  ['superadmin', '/admin/login', '/admin', ['Welcome back!', 'Admin login successful']],
])('the role %s is admitted at %s, and is redirected on a later visit', async (role, path, dashboard, texts) => {
  await signIn(path, [role]);
  await waitFor(() => expect(window.location.pathname).toBe(dashboard));
  await waitFor(() => expect(toasts()).toEqual([texts.join('')]));
  const session = JSON.parse(storedSession() ?? '{}');
  await openApp(path, session);
  await waitFor(() => expect(window.location.pathname).toBe(dashboard));
});

it('one accepted role among several is enough', async () => {
  await signIn('/vendor-auth', ['influencer', 'vendor']);
  await waitFor(() => expect(window.location.pathname).toBe('/vendor-dashboard'));
});

it("admits nobody whose roles can't be loaded", async () => {
  await signIn('/auth', ['influencer'], { 'GET /rest/v1/user_roles': unreachable });
  expect(await banner()).not.toBe('');
  expect(storedSession()).toBeNull();
});

it('keeps the typed text in both tabs, even when the server rejects it', async () => {
  const wrong = () => refused(400, 'invalid_credentials', 'Invalid login credentials');
  serve({ ...accountAnswers(SOMEBODY), 'POST /auth/v1/token': wrong });
  await openApp('/auth');
  await fill(email(), SOMEBODY.email);
  await fill(password(), 'not-the-password');
  await user.click(byRole('tab', 'Sign Up'));
  expect(email()).toHaveValue(SOMEBODY.email);
  expect(password()).toHaveValue('not-the-password');
  await user.click(byRole('tab', 'Sign In'));
  await user.click(button('Sign In'));
  expect(await banner()).toContain('Invalid login credentials');
  expect(password()).toHaveValue('not-the-password');
  expect(window.location.pathname).toBe('/auth');
});

it('says that the e-mail address is already registered', async () => {
  serve({ 'POST /auth/v1/signup': () => refused(422, 'user_already_exists', 'User already registered') });
  await openApp('/auth?tab=sign-up');
  await fill(email(), SOMEBODY.email);
  await fill(password(), PASSWORD);
  await user.click(button('Sign Up'));
  expect(await banner()).toContain('This email is already registered. Please sign in instead.');
});

it('a password can be shown, pasted and saved by a password manager', async () => {
  serve({});
  await openApp('/auth');
  expect(email()).toHaveAttribute('autocomplete', 'username');
  expect(password()).toHaveAttribute('autocomplete', 'current-password');
  password().focus();
  await user.paste('rahsia88');
  expect(password()).toHaveValue('rahsia88');
  await user.click(button('Show password'));
  expect(password()).toHaveAttribute('type', 'text');
  await user.click(button('Hide password'));
  expect(password()).toHaveAttribute('type', 'password');
  await user.click(byRole('tab', 'Sign Up'));
  expect(password()).toHaveAttribute('autocomplete', 'new-password');
});

it('sends one request, however often the button is pressed', async () => {
  let release = () => {};
  const held = new Promise<void>((done) => {
    release = done;
  });
  const answers = accountAnswers(account('influencer'));
  const token = answers['POST /auth/v1/token'];
  const requests = serve({ ...answers, 'POST /auth/v1/token': (sent) => held.then(() => token?.(sent)) });
  await openApp('/auth');
  await fill(email(), SOMEBODY.email);
  await fill(password(), PASSWORD);
  await user.dblClick(button('Sign In'));
  password().focus();
  await user.keyboard('{Enter}');
  await waitFor(() => expect(button('Signing in...')).toBeDisabled());
  release();
  await waitFor(() => expect(window.location.pathname).toBe('/dashboard'));
  expect(requests.filter((sent) => sent.path === '/auth/v1/token')).toHaveLength(1);
});

it('says when to try again after too many attempts', async () => {
  const limited = () =>
    refused(429, 'over_request_rate_limit', 'Request rate limit reached', {}, { 'retry-after': '40' });
  await signIn('/auth', ['influencer'], { 'POST /auth/v1/token': limited });
  expect(await banner()).toMatch(/Request rate limit reached.*Try again in (40|39) seconds\./);
  expect(password()).toHaveValue(PASSWORD);
});

it('distinguishes being offline from a server that is down, and the next attempt works', async () => {
  // auth-js logs the errors that fetch throws.
  vi.spyOn(console, 'error').mockImplementation(() => {});
  const answers = accountAnswers(account('agency'));
  const token = answers['POST /auth/v1/token'];
  let answer: Answers[string] | undefined = () => new Response('', { status: 503, headers: { 'retry-after': '5' } });
  serve({ ...answers, 'POST /auth/v1/token': (sent) => answer?.(sent) });
  await openApp('/agency-auth');
  await fill(email(), SOMEBODY.email);
  await fill(password(), PASSWORD);
  await user.click(button('Sign In'));
  expect(await banner()).toMatch(/An unexpected error occurred.*Serasi isn't responding\. Try again in [45] seconds/);
  const online = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  answer = unreachable;
  await user.click(button('Sign In'));
  await waitFor(() => expect(document.querySelector('[role=alert]')).toHaveTextContent("You're offline."));
  expect(password()).toHaveValue(PASSWORD);
  online.mockReturnValue(true);
  answer = token;
  await user.click(button('Sign In'));
  await waitFor(() => expect(window.location.pathname).toBe('/agency-dashboard'));
});

it('validates the admin login, and links to the other portals', async () => {
  const wrong = () => refused(400, 'invalid_credentials', 'Invalid login credentials');
  serve({ 'POST /auth/v1/token': wrong });
  await openApp('/admin/login');
  await user.click(button('Sign In'));
  await waitFor(() => expect(errors()).toEqual(['E-mail is required']));
  await fill(email(), SOMEBODY.email);
  await user.click(button('Sign In'));
  await waitFor(() => expect(errors()).toEqual(['Password is required']));
  expect(email()).toHaveAttribute('type', 'email');
  for (const name of ['Influencer Login', 'Agency Login', 'Vendor Login']) expect(byRole('link', name)).toBeVisible();
  await fill(password(), 'wrong-password');
  await user.click(button('Sign In'));
  expect(await banner()).toContain('Login failed');
  expect(await banner()).toContain('Invalid login credentials');
});

it('Tab leads from the e-mail to the password, and Enter submits', async () => {
  serve(accountAnswers(account('influencer')));
  await openApp('/auth');
  email().focus();
  await user.keyboard(SOMEBODY.email);
  await user.tab();
  expect(password()).toHaveFocus();
  await user.keyboard(`${PASSWORD}{Enter}`);
  await waitFor(() => expect(window.location.pathname).toBe('/dashboard'));
});

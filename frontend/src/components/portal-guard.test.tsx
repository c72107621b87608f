// Who may open the dashboards, and what other accounts see. src/app/dashboards.test.tsx tests failed saves.
import { screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { SESSION_KEY } from '@/lib/stored-session';
import { accountAnswers, SOMEBODY, serve, sessionOf, singleRow, unreachable } from '@/testing/backend';
import { button, byRole, fill, openApp, toasts, user } from '@/testing/render';

afterEach(() => vi.unstubAllGlobals());

const account = (...roles: string[]) => ({ ...SOMEBODY, roles });
const storedSession = () => window.localStorage.getItem(SESSION_KEY);
const atPath = (path: string) => waitFor(() => expect(window.location.pathname).toBe(path));

const DASHBOARDS = [
  ['/dashboard', 'influencer', '/auth', 'Access denied. This dashboard is for influencers only.'],
  ['/agency-dashboard', 'agency', '/agency-auth', 'Access denied. This dashboard is for agencies only.'],
  ['/vendor-dashboard', 'vendor', '/vendor-auth', 'Access denied. This dashboard is for vendors only.'],
] as const;

it.each(DASHBOARDS)('%s sends visitors to the sign-in page', async (path, _, signIn) => {
  serve({});
  await openApp(path);
  await atPath(signIn);
});

it.each(DASHBOARDS)('%s signs out an account without the role %s', async (path, role, signIn, denied) => {
  const other = account(role === 'vendor' ? 'agency' : 'vendor');
  serve(accountAnswers(other));
  await openApp(path, sessionOf(other));
  await atPath(signIn);
  await waitFor(() => expect(toasts()).toEqual([denied]));
  expect(storedSession()).toBeNull();
});

it.each(DASHBOARDS)(
  '%s admits an account with the role %s, even if it has other roles too',
  async (path, role, signIn) => {
    const several = account('influencer', 'vendor', role);
    serve(accountAnswers(several));
    await openApp(path, sessionOf(several));
    await waitFor(() => expect(button('Save Profile')).toBeVisible());
    await user.click(button('Sign Out'));
    await atPath(signIn);
    expect(storedSession()).toBeNull();
  },
);

it.each([
  ['/agency-dashboard', 'agency', 'agencies', 'Agency profile saved successfully!'],
  ['/vendor-dashboard', 'vendor', 'vendors', 'Vendor profile saved successfully!'],
])('on %s, a name is enough for the first save', async (path, role, table, saved) => {
  const own = account(role);
  const sent = serve({ ...accountAnswers(own), ...singleRow(table).answers });
  await openApp(path, sessionOf(own));
  await waitFor(() => expect(button('Save Profile')).toBeVisible());
  expect(screen.getByText('Nothing saved yet')).toBeVisible();
  await fill(byRole('textbox', 'Name'), 'Rimba');
  await user.click(button('Save Profile'));
  await waitFor(() => expect(toasts()).toContain(saved));
  expect(sent.find(({ method }) => method === 'POST')?.body).toMatchObject({ name: 'Rimba', email: own.email });
});

it('a failure to load the closed pages opens none, and is retried', async () => {
  const own = account('influencer');
  const answers = accountAnswers(own);
  answers['GET /rest/v1/influencers'] = ({ query }) =>
    query.get('user_id') ? unreachable() : Response.json([], { headers: { 'content-range': '*/0' } });
  serve(answers);
  await openApp('/search/influencers', sessionOf(own));
  expect(await screen.findByText("Serasi isn't responding")).toBeVisible();
  answers['GET /rest/v1/influencers'] = ({ query }) =>
    query.get('user_id') ? [{ name: 'Lim', access_influencer_page: false }] : [];
  await user.click(button('Try again'));
  expect(await screen.findByText('This page is closed to your account')).toBeVisible();
});

it('a failure to load the roles signs nobody out, and is retried', async () => {
  const answers = accountAnswers(account('influencer'));
  const roles = answers['GET /rest/v1/user_roles'];
  answers['GET /rest/v1/user_roles'] = unreachable;
  serve(answers);
  await openApp('/dashboard', sessionOf(account('influencer')));
  expect(await screen.findByText("Serasi isn't responding")).toBeVisible();
  if (roles) answers['GET /rest/v1/user_roles'] = roles;
  await user.click(button('Try again'));
  await waitFor(() => expect(button('Save Profile')).toBeVisible());
  expect(storedSession()).not.toBeNull();
});

it.each([
  ['/admin', 'You need admin privileges', ['influencer'], '/admin/login'],
  ['/superadmin', 'You need superadmin privileges', ['admin'], '/admin'],
  ['/superadmin/audit', 'You need superadmin privileges', ['admin'], '/admin'],
])('%s rejects an account without its role: %s', async (path, message, roles, place) => {
  serve(accountAnswers(account(...roles)));
  await openApp(path, sessionOf(account(...roles)));
  await atPath(place);
  await waitFor(() => expect(toasts().join()).toContain(message));
});

it.each(['/admin', '/superadmin', '/superadmin/audit'])('%s sends visitors to the admin login', async (path) => {
  serve({});
  await openApp(path);
  await atPath('/admin/login');
});

it.each([
  ['verify', '/admin/login', 'Enter your code'],
  ['enroll', '/account/security', 'Admins need a second factor'],
])('/admin leads an admin who must %s a second factor to %s', async (access, place, title) => {
  const admin = account('admin');
  serve({
    ...accountAnswers(admin),
    'GET /rest/v1/rpc/staff_access': () => Response.json(access),
    'GET /auth/v1/factors/recovery-codes': () => ({ remaining: 0 }),
  });
  await openApp('/admin', sessionOf(admin));
  await atPath(place);
  expect(await screen.findByText(title)).toBeVisible();
});

it('a page that an admin has closed to the account says so and links to the dashboard', async () => {
  const closed = account('influencer');
  const answers = accountAnswers(closed);
  answers['GET /rest/v1/influencers'] = () => [{ id: 'b1', name: 'Nadia', access_agencies_page: false }];
  serve(answers);
  await openApp('/search/agencies', sessionOf(closed));
  expect(await screen.findByText('This page is closed to your account')).toBeVisible();
  expect(document.body).toHaveTextContent('An admin has turned off the Agencies page for you.');
  await user.click(screen.getByText('Go to Dashboard'));
  await atPath('/dashboard');
  await waitFor(() => expect(button('Save Profile')).toBeVisible());
});

// Who may open the dashboards, and what other accounts see.
import { screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { SESSION_KEY } from '@/lib/stored-session';
import { accountAnswers, SOMEBODY, serve, sessionOf, unreachable } from '@/testing/backend';
import { button, openApp, toasts, user } from '@/testing/render';

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

it('a failure to load the roles signs nobody out, and is retried', async () => {
  const answers = accountAnswers(account('influencer'));
  const roles = answers['GET /rest/v1/user_roles'];
  answers['GET /rest/v1/user_roles'] = unreachable;
  serve(answers);
  await openApp('/dashboard', sessionOf(account('influencer')));
  expect(await screen.findByText("Serasi isn't answering")).toBeVisible();
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

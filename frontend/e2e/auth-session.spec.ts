// The session: kept, refreshed, ended everywhere at once, and what was typed when it ended.

import { type BrowserContext, expect, type Page } from '@playwright/test';
import { newInfluencer, signedIn, startSession } from './accounts';
import { demo, signIn } from './people';
import { test } from './test';

const SESSION = 'serasi-session';
const stored = (page: Page) => page.evaluate((key) => localStorage.getItem(key), SESSION);

async function dashboardOf(context: BrowserContext, email: string): Promise<Page> {
  const page = await context.newPage();
  await signIn(page, '/auth', email);
  await expect(page.getByRole('button', { name: 'Save Profile' })).toBeVisible();
  return page;
}

/** Tells the other tabs as a sign-out there would. */
async function signOutElsewhere(context: BrowserContext) {
  const other = await context.newPage();
  await other.goto('/');
  await other.getByRole('button', { name: 'Account menu' }).click();
  await other.getByRole('menuitem', { name: 'Logout' }).click();
  await expect(other.getByText('Logged out successfully')).toBeVisible();
  return other;
}

test('an expired token is refreshed before anybody notices', async ({ page, request }) => {
  const caller = await signedIn(request, demo('agency'));
  const session = { ...(caller.session as object), expires_at: Math.floor(Date.now() / 1000) - 60, expires_in: -60 };
  await startSession(page, { ...caller, session });
  const refreshed = page.waitForResponse((answer) => answer.url().includes('grant_type=refresh_token'));
  await page.goto('/');
  expect((await refreshed).ok()).toBe(true);
  await expect(page.getByRole('link', { name: 'Dashboard' })).toHaveAttribute('href', '/agency-dashboard');
  expect(JSON.parse((await stored(page)) ?? '{}').refresh_token).not.toBe(
    (caller.session as { refresh_token: string }).refresh_token,
  );
});

test('signing in and out in one tab reaches the others', async ({ page, context, request }) => {
  const me = await newInfluencer(request);
  await page.goto('/');
  await expect(page.getByRole('link', { name: 'Dashboard' })).toBeHidden();
  const second = await dashboardOf(context, me.email);
  await expect(page.getByRole('link', { name: 'Dashboard' })).toBeVisible();
  await signOutElsewhere(context);
  await expect(second).toHaveURL(/\/auth$/);
  await expect(page.getByRole('link', { name: 'Dashboard' })).toBeHidden();
});

test('Logout ends the session here even when the server can’t be told', async ({ page, context, request }) => {
  const me = await newInfluencer(request);
  await startSession(page, me);
  await page.goto('/');
  await expect(page.getByRole('link', { name: 'Dashboard' })).toBeVisible();
  const other = await context.newPage();
  await other.goto('/dashboard');
  await expect(other.getByRole('button', { name: 'Save Profile' })).toBeVisible();
  await page.route('**/auth/v1/logout*', (route) => route.abort());
  await page.getByRole('button', { name: 'Account menu' }).click();
  await page.getByRole('menuitem', { name: 'Logout' }).click();
  await expect(page.getByRole('link', { name: 'Dashboard' })).toBeHidden();
  await expect(other).toHaveURL(/\/auth$/);
  expect(await stored(page)).toBeNull();
});

test('what was typed is kept when the session ends, for its writer alone', async ({ page, context, request }) => {
  const [me, somebodyElse] = [await newInfluencer(request), await newInfluencer(request)];
  await page.close();
  const mine = await dashboardOf(context, me.email);
  await mine.getByLabel('Bio').fill('Not saved yet');
  const other = await signOutElsewhere(context);
  await expect(mine).toHaveURL(/\/auth$/);
  await expect(mine.getByText('You were signed out')).toBeVisible();
  await expect(mine.getByText('What you typed is kept in this tab.')).toBeVisible();

  await signIn(mine, '/auth', me.email);
  await expect(mine.getByText('Your unsaved changes are back')).toBeVisible();
  await expect(mine.getByLabel('Bio')).toHaveValue('Not saved yet');
  await expect(mine.getByText('Unsaved changes', { exact: true })).toBeVisible();
  await mine.getByRole('button', { name: 'Save Profile' }).click();
  await expect(mine.getByText('Profile saved successfully!')).toBeVisible();
  await expect(mine.getByText('All changes saved')).toBeVisible();

  await mine.getByLabel('Bio').fill('For my eyes');
  await other.close();
  await signOutElsewhere(context);
  await expect(mine.getByText('You were signed out')).toBeVisible();
  await signIn(mine, '/auth', somebodyElse.email);
  await expect(mine.getByLabel('Bio')).toHaveValue('');
  await expect(mine.getByText('Your unsaved changes are back')).toBeHidden();
});

test('what was left on purpose does not come back', async ({ context, request }) => {
  const me = await newInfluencer(request);
  const page = await dashboardOf(context, me.email);
  await page.getByLabel('Bio').fill('Rather not');
  await page.getByRole('button', { name: 'Sign Out' }).click();
  await page.getByRole('button', { name: 'Leave without saving' }).click();
  await expect(page).toHaveURL(/\/auth$/);
  await expect(page.getByText('You were signed out')).toBeHidden();
  await signIn(page, '/auth', me.email);
  await expect(page.getByLabel('Bio')).toHaveValue('');
});

test('a session that the server ended leads to the sign-in, and nobody is accused', async ({ page, request }) => {
  const caller = await signedIn(request, demo('influencer'));
  const session = { ...(caller.session as object), refresh_token: 'aaaaaaaaaaaa', expires_at: 1, expires_in: -60 };
  await startSession(page, { ...caller, session });
  await page.goto('/dashboard');
  await expect(page).toHaveURL(/\/auth$/);
  await expect(page.getByText('Access denied')).toBeHidden();
});

test('roles that can’t be read sign nobody out', async ({ page, request }) => {
  await startSession(page, await signedIn(request, demo('influencer')));
  await page.route('**/rest/v1/user_roles?*', (route) => route.abort());
  await page.goto('/dashboard');
  await expect(page.getByRole('heading', { name: "Serasi isn't answering" })).toBeVisible();
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('button', { name: 'Save Profile' })).toBeVisible();
  expect(await stored(page)).not.toBeNull();
});

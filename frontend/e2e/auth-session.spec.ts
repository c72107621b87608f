// The session: kept, refreshed, ended in all tabs at the same time, and unsaved input when it ends.

import { expect, type Page } from '@playwright/test';
import { type Caller, newInfluencer, signedIn, startSession } from './accounts';
import { demo, signIn } from './people';
import { test } from './test';

const SESSION = 'serasi-session';
const stored = (page: Page) => page.evaluate((key) => localStorage.getItem(key), SESSION);

async function signInTo(page: Page, email: string) {
  await signIn(page, '/auth', email);
  await expect(page.getByRole('button', { name: 'Save Profile' })).toBeVisible();
}

async function dashboardOf(page: Page, caller: Caller) {
  await startSession(page, caller);
  await page.goto('/dashboard');
  await expect(page.getByRole('button', { name: 'Save Profile' })).toBeVisible();
}

/**
 * Signs out in another tab and brings it to the front, because a tab in the background renders one frame per second.
 */
async function signOutIn(other: Page) {
  await other.bringToFront();
  await other.getByRole('button', { name: 'Account menu' }).click();
  await other.getByRole('menuitem', { name: 'Logout' }).click();
  await expect(other.getByText('Logged out successfully').first()).toBeVisible();
}

test('an expired token is refreshed unnoticed', async ({ page, request }) => {
  const caller = await signedIn(request, demo('agency'));
  const session = { ...(caller.session as object), expires_at: Math.floor(Date.now() / 1000) - 60, expires_in: -60 };
  await startSession(page, { ...caller, session });
  const refreshed = page.waitForResponse((answer) => answer.url().includes('grant_type=refresh_token'));
  await page.goto('/about-us');
  expect((await refreshed).ok()).toBe(true);
  await expect(page.getByRole('link', { name: 'Dashboard' })).toHaveAttribute('href', '/agency-dashboard');
  expect(JSON.parse((await stored(page)) ?? '{}').refresh_token).not.toBe(
    (caller.session as { refresh_token: string }).refresh_token,
  );
});

test('signing in and out in one tab reaches the others', async ({ page, context, request }) => {
  const me = await newInfluencer(request);
  await page.goto('/about-us');
  await expect(page.getByRole('link', { name: 'Dashboard' })).toBeHidden();
  const second = await context.newPage();
  await signInTo(second, me.email);
  await expect(page.getByRole('link', { name: 'Dashboard' })).toBeVisible();
  await signOutIn(page);
  await expect(second).toHaveURL(/\/auth$/);
  await expect(page.getByRole('link', { name: 'Dashboard' })).toBeHidden();
});

test('Logout ends the session in this browser even when the server can’t be reached', async ({
  page,
  context,
  request,
}) => {
  const me = await newInfluencer(request);
  await startSession(page, me);
  await page.goto('/about-us');
  await expect(page.getByRole('link', { name: 'Dashboard' })).toBeVisible();
  const other = await context.newPage();
  await other.goto('/dashboard');
  await expect(other.getByRole('button', { name: 'Save Profile' })).toBeVisible();
  await page.bringToFront();
  await page.route('**/auth/v1/logout*', (route) => route.abort());
  await page.getByRole('button', { name: 'Account menu' }).click();
  await page.getByRole('menuitem', { name: 'Logout' }).click();
  await expect(page.getByRole('link', { name: 'Dashboard' })).toBeHidden();
  await expect(other).toHaveURL(/\/auth$/);
  expect(await stored(page)).toBeNull();
});

test('typed text is kept when the session ends, but only for its author', async ({ page, context, request }) => {
  const [me, somebodyElse] = [await newInfluencer(request), await newInfluencer(request)];
  const mine = await context.newPage();
  await dashboardOf(mine, me);
  await page.goto('/about-us');
  await mine.bringToFront();
  await mine.getByLabel('Bio').fill('Not saved yet');
  await signOutIn(page);
  await mine.bringToFront();
  await expect(mine).toHaveURL(/\/auth$/);
  await expect(mine.getByText('You were signed out')).toBeVisible();
  await expect(mine.getByText('Your changes are kept in this tab.')).toBeVisible();

  await signInTo(mine, me.email);
  await expect(mine.getByText('Your unsaved changes are back')).toBeVisible();
  await expect(mine.getByLabel('Bio')).toHaveValue('Not saved yet');
  await expect(mine.getByText('Unsaved changes', { exact: true })).toBeVisible();
  await mine.getByRole('button', { name: 'Save Profile' }).click();
  await expect(mine.getByText('Profile saved successfully!')).toBeVisible();
  await expect(mine.getByText('All changes saved')).toBeVisible();

  await mine.getByLabel('Bio').fill('For my eyes');
  await signOutIn(page);
  await mine.bringToFront();
  await expect(mine.getByText('You were signed out')).toBeVisible();
  await signInTo(mine, somebodyElse.email);
  await expect(mine.getByLabel('Bio')).toHaveValue('');
  await expect(mine.getByText('Your unsaved changes are back')).toBeHidden();
});

test('discarded changes do not come back', async ({ page, request }) => {
  const me = await newInfluencer(request);
  await dashboardOf(page, me);
  await page.getByLabel('Bio').fill('Rather not');
  await page.getByRole('button', { name: 'Sign Out' }).click();
  await page.getByRole('button', { name: 'Leave without saving' }).click();
  await expect(page).toHaveURL(/\/auth$/);
  await expect(page.getByText('You were signed out')).toBeHidden();
  await signIn(page, '/auth', me.email);
  await expect(page.getByLabel('Bio')).toHaveValue('');
});

test('a session that the server ended leads to the sign-in page without an error', async ({ page, request }) => {
  const caller = await signedIn(request, demo('influencer'));
  const session = { ...(caller.session as object), refresh_token: 'aaaaaaaaaaaa', expires_at: 1, expires_in: -60 };
  await startSession(page, { ...caller, session });
  await page.goto('/dashboard');
  await expect(page).toHaveURL(/\/auth$/);
  await expect(page.getByText('Access denied')).toBeHidden();
});

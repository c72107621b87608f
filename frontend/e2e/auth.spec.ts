// Signing up and in, with the real server. src/features/auth/portal-page.test.tsx tests every rule and rejection.
import { expect, type Page } from '@playwright/test';
import { signedIn, startSession } from './accounts';
import { demo, PASSWORD, signIn, somebodyNew } from './people';
import { test } from './test';

async function signUp(page: Page, email: string) {
  await page.goto('/auth');
  await page.getByRole('tab', { name: 'Sign Up' }).click();
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password', { exact: true }).fill('rahsia88');
  await page.getByRole('button', { name: 'Sign Up' }).click();
}

test('a wrong password is rejected; the right one starts a session that Logout ends', async ({ page }) => {
  await signIn(page, '/auth', demo('influencer'), 'not-the-password');
  await expect(page.getByRole('alert').filter({ hasText: 'Invalid login credentials' })).toBeVisible();
  await expect(page).toHaveURL(/\/auth$/);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign In' }).click();
  await expect(page.getByText('Signed in successfully!')).toBeVisible();
  await expect(page).toHaveURL(/\/dashboard$/);
  await page.goto('/');
  await expect(page.getByRole('link', { name: 'Dashboard' })).toHaveAttribute('href', '/dashboard');
  await page.getByRole('button', { name: 'Account menu' }).click();
  await expect(page.getByText('influencer', { exact: true })).toBeVisible();
  await page.getByRole('menuitem', { name: 'Logout' }).click();
  await expect(page.getByText('Logged out successfully')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Dashboard' })).toBeHidden();
  await page.goto('/dashboard');
  await expect(page).toHaveURL(/\/auth$/);
});

test('an agency is rejected and signed out at the influencers’ sign-in page and dashboard', async ({
  page,
  request,
}) => {
  await signIn(page, '/auth', demo('agency'));
  await expect(page.getByText('Access denied. This login is for influencers only.').first()).toBeVisible();
  expect(await page.evaluate(() => localStorage.getItem('serasi-session'))).toBeNull();
  await startSession(page, await signedIn(request, demo('agency')));
  await page.goto('/dashboard');
  await expect(page.getByText('Access denied. This dashboard is for influencers only.')).toBeVisible();
  await expect(page).toHaveURL(/\/auth$/);
  expect(await page.evaluate(() => localStorage.getItem('serasi-session'))).toBeNull();
});

test('a new influencer can sign out and in again; an address can be registered only once', async ({ page }) => {
  const me = somebodyNew();
  await signUp(page, demo('influencer'));
  await expect(page.getByText('This email is already registered. Please sign in instead.').first()).toBeVisible();
  await page.getByLabel('E-mail').fill(me.email);
  await page.getByRole('button', { name: 'Sign Up' }).click();
  await expect(page).toHaveURL(/\/dashboard$/);
  await page.getByRole('button', { name: 'Sign Out' }).click();
  await expect(page).toHaveURL(/\/auth$/);
  await signIn(page, '/auth', me.email, 'rahsia88');
  await expect(page).toHaveURL(/\/dashboard$/);
});

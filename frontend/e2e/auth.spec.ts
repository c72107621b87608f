import { expect } from '@playwright/test';
import { demo, signIn, somebodyNew } from './people';
import { test } from './test';

test('only the first broken rule is shown', async ({ page }) => {
  await page.goto('/auth');
  await page.getByRole('button', { name: 'Sign In' }).click();
  await expect(page.getByText('Invalid email address')).toBeVisible();
  await expect(page.getByText('Password must be at least 6 characters')).toBeHidden();
  await expect(page.getByLabel('E-mail')).toBeFocused();
  await page.getByLabel('E-mail').fill('a@example.test');
  await page.getByLabel('Password', { exact: true }).fill('12345');
  await page.getByRole('button', { name: 'Sign In' }).click();
  await expect(page.getByText('Password must be at least 6 characters')).toBeVisible();
});

test('a wrong password says what the server says', async ({ page }) => {
  await signIn(page, '/auth', demo('influencer'), 'not-the-password');
  await expect(page.getByRole('alert').filter({ hasText: 'Invalid login credentials' })).toBeVisible();
  await expect(page).toHaveURL(/\/auth$/);
});

test('an address can be registered once', async ({ page }) => {
  await page.goto('/auth');
  await page.getByRole('tab', { name: 'Sign Up' }).click();
  await page.getByLabel('E-mail').fill(demo('influencer'));
  await page.getByLabel('Password', { exact: true }).fill('rahsia88');
  await page.getByRole('button', { name: 'Sign Up' }).click();
  await expect(page.getByText('This email is already registered. Please sign in instead.').first()).toBeVisible();
});

test('an agency is turned away at the influencers’ door, and signed out', async ({ page }) => {
  await signIn(page, '/auth', demo('agency'));
  await expect(page.getByText('Access denied. This login is for influencers only.').first()).toBeVisible();
  await page.goto('/dashboard');
  await expect(page).toHaveURL(/\/auth$/);
});

test('an agency at the influencer dashboard is signed out and sent to the sign-in', async ({ page }) => {
  await page.goto('/');
  // Signs in as the portal of a later issue would.
  await page.evaluate(async (email) => {
    const key = document.querySelector<HTMLMetaElement>('meta[name=anon-key]')?.content ?? '';
    const answer = await fetch('/auth/v1/token?grant_type=password', {
      method: 'POST',
      headers: { apikey: key, 'content-type': 'application/json' },
      body: JSON.stringify({ email, password: 'serasi-demo' }),
    });
    localStorage.setItem('serasi-session', JSON.stringify(await answer.json()));
  }, demo('agency'));
  await page.goto('/dashboard');
  await expect(page.getByText('Access denied. This dashboard is for influencers only.')).toBeVisible();
  await expect(page).toHaveURL(/\/auth$/);
});

test('the session lasts over a reload, the header shows it, and Logout ends it', async ({ page }) => {
  await signIn(page, '/auth', demo('influencer'));
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

test('who signed up can sign out and in again', async ({ page }) => {
  const me = somebodyNew();
  await page.goto('/auth');
  await page.getByRole('tab', { name: 'Sign Up' }).click();
  await page.getByLabel('E-mail').fill(me.email);
  await page.getByLabel('Password', { exact: true }).fill('rahsia88');
  await page.getByRole('button', { name: 'Sign Up' }).click();
  await expect(page).toHaveURL(/\/dashboard$/);
  await page.getByRole('button', { name: 'Sign Out' }).click();
  await expect(page).toHaveURL(/\/auth$/);
  await signIn(page, '/auth', me.email, 'rahsia88');
  await expect(page).toHaveURL(/\/dashboard$/);
});

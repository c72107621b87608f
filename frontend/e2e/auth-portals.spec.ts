// The four doors: who gets in, who is turned away, and in which words.

import { expect, type Page } from '@playwright/test';
import { expectAccessible } from './accessibility';
import { demo, PASSWORD, signIn } from './people';
import { test } from './test';

const PORTALS = [
  { path: '/auth', title: 'Influencer portal', others: ['Agency Login', 'Vendor Login'] },
  { path: '/agency-auth', title: 'Agency portal', others: ['Influencer Login', 'Vendor Login'] },
  { path: '/vendor-auth', title: 'Vendor portal', others: ['Influencer Login', 'Agency Login'] },
];
const DENIED = {
  '/auth': ['Access denied. This login is for influencers only.'],
  '/agency-auth': ['Access denied. This login is for agencies only.'],
  '/vendor-auth': ['Access denied', 'This account is not registered as a vendor'],
};
const toast = (page: Page, text: string) => page.locator('[data-sonner-toast]').filter({ hasText: text }).first();
const password = (page: Page) => page.getByLabel('Password', { exact: true });

for (const { path, title, others } of PORTALS) {
  test(`${path} has both tabs, the ways to the others, and shows the first broken rule only`, async ({ page }) => {
    await page.goto(path);
    await expect(page).toHaveTitle(`${title} · Serasi`);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(title);
    await expect(page.getByRole('link', { name: 'Back to Home' })).toHaveAttribute('href', '/');
    for (const name of others) await expect(page.getByRole('link', { name })).toBeVisible();
    for (const action of ['Sign In', 'Sign Up']) {
      await page.getByRole('tab', { name: action }).click();
      const send = page.getByRole('button', { name: action });
      await page.getByLabel('E-mail').fill('');
      await password(page).fill('');
      await send.click();
      await expect(page.getByText('Invalid email address')).toBeVisible();
      await expect(page.getByText('Password must be at least 6 characters')).toBeHidden();
      await expect(page.getByLabel('E-mail')).toBeFocused();
      await page.getByLabel('E-mail').fill('nadia@example.test');
      await password(page).fill('12345');
      await send.click();
      await expect(page.getByText('Invalid email address')).toBeHidden();
      await expect(page.getByText('Password must be at least 6 characters')).toBeVisible();
      await expect(password(page)).toBeFocused();
    }
  });
}

for (const [path, words] of Object.entries(DENIED)) {
  for (const role of ['influencer', 'agency', 'vendor', 'admin']) {
    if (path === { influencer: '/auth', agency: '/agency-auth', vendor: '/vendor-auth' }[role]) continue;
    test(`${path} turns the ${role} away and ends the session`, async ({ page }) => {
      await signIn(page, path, demo(role));
      for (const text of words) await expect(page.getByRole('alert').filter({ hasText: text })).toBeVisible();
      await expect(toast(page, words[0] ?? '')).toBeVisible();
      await expect(page).toHaveURL(new RegExp(`${path}$`));
      await expect(page.getByLabel('E-mail')).toHaveValue(demo(role));
      expect(await page.evaluate(() => localStorage.getItem('serasi-session'))).toBeNull();
    });
  }
}

for (const [role, path, dashboard, words] of [
  ['influencer', '/auth', '/dashboard', ['Signed in successfully!']],
  ['agency', '/agency-auth', '/agency-dashboard', ['Signed in successfully!']],
  ['vendor', '/vendor-auth', '/vendor-dashboard', ['Welcome back!', 'You have successfully signed in']],
  ['admin', '/admin/login', '/admin', ['Welcome back!', 'Admin login successful']],
] as const) {
  test(`the ${role} gets in, and finds the door open from then on`, async ({ page }) => {
    await signIn(page, path, demo(role));
    for (const text of words) await expect(toast(page, text)).toBeVisible();
    await expect(page).toHaveURL(new RegExp(`${dashboard}$`));
    await page.goto(path);
    await expect(page).toHaveURL(new RegExp(`${dashboard}$`));
  });
}

test('a vendor role among several is enough', async ({ page }) => {
  await page.route('**/rest/v1/user_roles?*', (route) =>
    route.fulfill({ json: [{ role: 'influencer' }, { role: 'vendor' }] }),
  );
  await signIn(page, '/vendor-auth', demo('influencer'));
  await expect(toast(page, 'You have successfully signed in')).toBeVisible();
  await expect(page).toHaveURL(/\/vendor-dashboard$/);
});

test('roles that nobody can tell let nobody in', async ({ page }) => {
  await page.route('**/rest/v1/user_roles?*', (route) => route.abort());
  await signIn(page, '/auth', demo('influencer'));
  await expect(page.getByRole('alert')).toBeVisible();
  expect(await page.evaluate(() => localStorage.getItem('serasi-session'))).toBeNull();
});

test('what was typed is in both tabs, and stays when the server refuses', async ({ page }) => {
  await page.goto('/auth');
  await page.getByLabel('E-mail').fill(demo('influencer'));
  await password(page).fill('not-the-password');
  await page.getByRole('tab', { name: 'Sign Up' }).click();
  await expect(page.getByLabel('E-mail')).toHaveValue(demo('influencer'));
  await expect(password(page)).toHaveValue('not-the-password');
  await page.getByRole('tab', { name: 'Sign In' }).click();
  await page.getByRole('button', { name: 'Sign In' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'Invalid login credentials' })).toBeVisible();
  await expect(password(page)).toHaveValue('not-the-password');
});

test('a password can be shown, pasted and kept by a manager', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto('/auth');
  await expect(page.getByLabel('E-mail')).toHaveAttribute('autocomplete', 'username');
  await expect(password(page)).toHaveAttribute('autocomplete', 'current-password');
  await page.evaluate(() => navigator.clipboard.writeText('rahsia88'));
  await password(page).focus();
  await page.keyboard.press('Control+V');
  await expect(password(page)).toHaveValue('rahsia88');
  await page.getByRole('button', { name: 'Show password' }).click();
  await expect(password(page)).toHaveAttribute('type', 'text');
  await page.getByRole('button', { name: 'Hide password' }).click();
  await expect(password(page)).toHaveAttribute('type', 'password');
  await page.getByRole('tab', { name: 'Sign Up' }).click();
  await expect(password(page)).toHaveAttribute('autocomplete', 'new-password');
});

test('pressed twice it is sent once', async ({ page }) => {
  let sent = 0;
  let release = () => {};
  const held = new Promise<void>((done) => {
    release = done;
  });
  await page.route('**/auth/v1/token?grant_type=password', async (route) => {
    sent += 1;
    await held;
    await route.continue();
  });
  await page.goto('/auth');
  await page.getByLabel('E-mail').fill(demo('influencer'));
  await password(page).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign In' }).dblclick();
  await password(page).press('Enter');
  await expect(page.getByRole('button', { name: 'Signing in...' })).toBeDisabled();
  release();
  await expect(page).toHaveURL(/\/dashboard$/);
  expect(sent).toBe(1);
});

test('too many attempts: says so, and when the next one is heard', async ({ page }) => {
  await page.route('**/auth/v1/token?grant_type=password', (route) =>
    route.fulfill({
      status: 429,
      headers: { 'retry-after': '40', 'x-supabase-api-version': '2024-01-01' },
      json: { code: 'over_request_rate_limit', message: 'Request rate limit reached' },
    }),
  );
  await signIn(page, '/auth', demo('influencer'));
  const refusal = page.getByRole('alert').filter({ hasText: 'Request rate limit reached' });
  await expect(refusal).toContainText(/Try again in (40|39|38) seconds\./);
  await expect(password(page)).toHaveValue(PASSWORD);
});

test('offline and a server that is down are told apart, and the next attempt works', async ({ page, context }) => {
  await page.goto('/agency-auth');
  await page.getByLabel('E-mail').fill(demo('agency'));
  await password(page).fill(PASSWORD);
  // The library comes with the first attempt.
  await page.route('**/auth/v1/token*', (route) => route.fulfill({ status: 503, headers: { 'retry-after': '5' } }));
  await page.getByRole('button', { name: 'Sign In' }).click();
  const refusal = page.getByRole('alert').filter({ hasText: 'An unexpected error occurred' });
  await expect(refusal).toContainText(/Serasi isn't answering\. Try again in [3-5] seconds/);
  await page.unrouteAll();
  await context.setOffline(true);
  await page.getByRole('button', { name: 'Sign In' }).click();
  await expect(refusal).toContainText("You're offline.");
  await expect(password(page)).toHaveValue(PASSWORD);
  await context.setOffline(false);
  await page.getByRole('button', { name: 'Sign In' }).click();
  await expect(page).toHaveURL(/\/agency-dashboard$/);
});

test('admins are told what is missing, and which of the two refusals it is', async ({ page }) => {
  await page.goto('/admin/login');
  await page.getByRole('button', { name: 'Sign In' }).click();
  await expect(page.getByText('E-mail is required')).toBeVisible();
  await expect(page.getByText('Password is required')).toBeHidden();
  await page.getByLabel('E-mail').fill(demo('admin'));
  await page.getByRole('button', { name: 'Sign In' }).click();
  await expect(page.getByText('Password is required')).toBeVisible();
  await expect(page.getByLabel('E-mail')).toHaveAttribute('type', 'email');
  for (const name of ['Influencer Login', 'Agency Login', 'Vendor Login']) {
    await expect(page.getByRole('link', { name })).toBeVisible();
  }
});

test('the keyboard goes from address to password to button, and Enter sends', async ({ page }) => {
  await page.goto('/auth');
  await page.getByLabel('E-mail').focus();
  await page.keyboard.type(demo('influencer'));
  await page.keyboard.press('Tab');
  await expect(password(page)).toBeFocused();
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/dashboard$/);
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`the doors shut nobody out (${colorScheme})`, async ({ page }) => {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    for (const path of ['/auth', '/agency-auth', '/vendor-auth', '/admin/login']) {
      await page.setViewportSize({ width: 1440, height: 900 });
      await page.goto(path);
      await page.getByRole('button', { name: 'Sign In' }).click();
      await expect(page.locator('[aria-invalid=true]')).toHaveCount(1);
      await expectAccessible(page);
      await page.setViewportSize({ width: 360, height: 800 });
      await expectAccessible(page);
      await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
    }
  });
}

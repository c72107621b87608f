// Asking for a link, and setting the new password, with the server's answers written here.

import { expect, type Page } from '@playwright/test';
import { expectAccessible } from './accessibility';
import { signedIn, startSession } from './accounts';
import { demo } from './people';
import { test } from './test';

const heading = (page: Page) => page.getByRole('heading', { level: 1 });
const refused = (status: number, code: string, message: string, more = {}) => ({
  status,
  headers: { 'x-supabase-api-version': '2024-01-01' },
  json: { code, message, ...more },
});

for (const [path, dashboard] of [
  ['/auth', '/dashboard'],
  ['/agency-auth', '/agency-dashboard'],
  ['/vendor-auth', '/vendor-dashboard'],
  ['/admin/login', '/admin'],
] as const) {
  test(`from ${path} a link is asked for, with the typed address, and the way back`, async ({ page }) => {
    const asked: URL[] = [];
    await page.route('**/auth/v1/recover*', (route) => {
      asked.push(new URL(route.request().url()));
      return route.fulfill({ json: {} });
    });
    await page.goto(path);
    await page.getByLabel('E-mail').fill('nadia@example.test');
    await page.getByRole('link', { name: 'Forgot password?' }).click();
    await expect(page).toHaveTitle('Forgot password · Serasi');
    await expect(page.getByLabel('E-mail')).toHaveValue('nadia@example.test');
    expect(page.url()).not.toContain('nadia');
    await expect(page.getByRole('link', { name: 'Back to Sign In' })).toHaveAttribute('href', path);
    await page.getByRole('button', { name: 'Send link' }).click();
    await expect(heading(page)).toHaveText('Check your e-mail');
    await expect(heading(page)).toBeFocused();
    await expect(page.getByText('If there is an account for nadia@example.test')).toBeVisible();
    expect(new URL(asked[0]?.searchParams.get('redirect_to') ?? '').pathname).toBe(dashboard);
  });
}

test('the answer is the same for an address that was asked for before', async ({ page }) => {
  await page.route('**/auth/v1/recover*', (route) =>
    route.fulfill(
      refused(429, 'over_email_send_rate_limit', 'For security purposes, you can only request this after 51 seconds.'),
    ),
  );
  await page.goto('/auth/forgot-password');
  await page.getByRole('button', { name: 'Send link' }).click();
  await expect(page.getByText('Invalid email address')).toBeVisible();
  await page.getByLabel('E-mail').fill('nadia@example.test');
  await page.getByRole('button', { name: 'Send link' }).click();
  await expect(heading(page)).toHaveText('Check your e-mail');
  await expect(page.getByRole('button', { name: /^Send again in (1:00|0:5\d)$/ })).toBeDisabled();
  await expectAccessible(page);
});

test('the link can be sent again after a minute, or to another address', async ({ page }) => {
  let asked = 0;
  await page.route('**/auth/v1/recover*', (route) => {
    asked += 1;
    return route.fulfill({ json: {} });
  });
  await page.clock.install();
  await page.goto('/auth/forgot-password');
  await page.getByLabel('E-mail').fill('nadia@example.test');
  await page.getByRole('button', { name: 'Send link' }).click();
  await expect(page.getByRole('button', { name: /^Send again in/ })).toBeDisabled();
  await page.clock.runFor(61_000);
  await page.getByRole('button', { name: 'Send again', exact: true }).click();
  await expect(page.getByRole('button', { name: /^Send again in/ })).toBeDisabled();
  expect(asked).toBe(2);
  await page.getByRole('button', { name: 'Use another e-mail' }).click();
  await expect(page.getByLabel('E-mail')).toHaveValue('nadia@example.test');
});

test('too many requests for links are told, and the address is kept', async ({ page }) => {
  await page.route('**/auth/v1/recover*', (route) =>
    route.fulfill(refused(429, 'over_request_rate_limit', 'Request rate limit reached')),
  );
  await page.goto('/auth/forgot-password');
  await page.getByLabel('E-mail').fill('nadia@example.test');
  await page.getByRole('button', { name: 'Send link' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'Request rate limit reached' })).toContainText(
    'Try again in a few minutes.',
  );
  await expect(page.getByLabel('E-mail')).toHaveValue('nadia@example.test');
});

test('a new password is checked, refused at its field, then saved once', async ({ page, request }) => {
  await startSession(page, await signedIn(request, demo('agency')));
  await page.goto('/auth/new-password?next=/vendor-dashboard');
  const password = page.getByLabel('New password');
  const save = page.getByRole('button', { name: 'Save new password' });
  await expect(password).toBeFocused();
  await expect(password).toHaveAttribute('autocomplete', 'new-password');
  await password.fill('rahsi');
  await save.click();
  await expect(page.getByText('Password must be at least 6 characters')).toBeVisible();

  const answers = [
    refused(422, 'same_password', 'New password should be different from the old password.'),
    refused(422, 'weak_password', 'Password is known to be weak.', { weak_password: { reasons: ['pwned'] } }),
  ];
  let asked = 0;
  const { user } = (await signedIn(request, demo('agency'))).session as { user: object };
  await page.route('**/auth/v1/user', (route) => {
    asked += 1;
    return route.fulfill(answers.shift() ?? { json: user });
  });
  await password.fill('rahsia88');
  await save.click();
  await expect(page.getByText('New password should be different from the old password.')).toBeVisible();
  await expect(password).toHaveAttribute('aria-invalid', 'true');
  await save.click();
  await expect(page.getByText('Password is known to be weak.')).toBeVisible();
  await expect(password).toHaveValue('rahsia88');
  await save.dblclick();
  await expect(page.getByText('Your password has changed')).toBeVisible();
  // Not the vendors' dashboard, which the link names: this is an agency.
  await expect(page).toHaveURL(/\/agency-dashboard$/);
  expect(asked).toBe(3);
});

test('a session that ended meanwhile is told as what it is', async ({ page, request }) => {
  await startSession(page, await signedIn(request, demo('agency')));
  await page.route('**/auth/v1/user', (route) =>
    route.fulfill(refused(403, 'session_not_found', 'Session from session_id claim in JWT does not exist')),
  );
  await page.goto('/auth/new-password');
  await page.getByLabel('New password').fill('rahsia88');
  await page.getByRole('button', { name: 'Save new password' }).click();
  await expect(heading(page)).toHaveText('This link no longer works');
});

// The pages that e-mailed links lead to, in the browser: results that the server appends to a URL, and accessibility.
// src/features/auth/mailed-pages.test.tsx tests every outcome of a link.
import { expect, type Page } from '@playwright/test';
import { expectAccessible, expectAccessibleInBoth, expectNoSidewaysScroll } from './accessibility';
import { type Caller, signedIn } from './accounts';
import { demo } from './people';
import { test } from './test';

const heading = (page: Page) => page.getByRole('heading', { level: 1 });
const hashOf = (caller: Caller, type: string) => {
  const { access_token, refresh_token } = caller.session as Record<string, string>;
  const expires_at = Math.floor(Date.now() / 1000) + 3600;
  return `access_token=${access_token}&expires_at=${expires_at}&expires_in=3600&refresh_token=${refresh_token}&sb=&token_type=bearer&type=${type}`;
};
const keepSession = (page: Page, caller: Caller) =>
  page.evaluate((kept) => localStorage.setItem('serasi-session', JSON.stringify(kept)), caller.session);

test('a session that the server appends is used on any page', async ({ page, request }) => {
  await page.goto(`/pricing#${hashOf(await signedIn(request, demo('influencer')), 'recovery')}`);
  await expect(page.getByText(`For ${demo('influencer')}.`)).toBeVisible();
  expect(page.url()).not.toContain('access_token');
  await page.evaluate(() => localStorage.clear());
  // Otherwise only the hash would change, and the page would not be loaded.
  await page.goto('about:blank');
  await page.goto(`/?from=mail#${hashOf(await signedIn(request, demo('agency')), 'magiclink')}`);
  await expect(page).toHaveURL(/\/agency-dashboard$/);
});

test('an error that the server appends is shown, and does not end the session', async ({ page, request }) => {
  const hash = 'error=access_denied&error_code=otp_expired&error_description=Email+link+is+invalid+or+has+expired&sb=';
  await page.goto(`/vendor-dashboard#${hash}`);
  await expect(heading(page)).toHaveText('This link no longer works');
  await keepSession(page, await signedIn(request, demo('agency')));
  await page.goto(`/auth/confirm?${hash}#${hash}`);
  await expect(heading(page)).toHaveText('This link no longer works');
  await page.getByRole('link', { name: 'Back to Home' }).click();
  await expect(page.getByRole('link', { name: 'Dashboard' })).toBeVisible();
  await page.goto('/about-us');
  await page.goto('/#message=Confirmation+link+accepted.+Please+proceed&sb=');
  await expect(heading(page)).toHaveText('First address confirmed');
});

test('the pages that links lead to are accessible in both themes, on desktops and phones', async ({
  page,
  request,
}) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const visit = async (path: string, title: string) => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto(path);
    await expect(heading(page)).toHaveText(title);
    await expectAccessibleInBoth(page);
    // Colors do not depend on the width.
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
    await expectNoSidewaysScroll(page, [360]);
    await expectAccessible(page);
  };
  await visit('/auth/forgot-password', 'Forgot your password?');
  await page.route('**/auth/v1/recover*', (route) => route.fulfill({ json: {} }));
  await page.getByLabel('E-mail').fill('nadia@example.test');
  await page.getByRole('button', { name: 'Send link' }).click();
  await expect(heading(page)).toHaveText('Check your e-mail');
  await expectAccessibleInBoth(page);
  await visit('/auth/send-confirmation', 'Confirm your e-mail');
  await visit('/auth/confirm?token_hash=abc123&type=signup', 'Confirm your e-mail');
  await visit('/auth/confirmed?what=half', 'First address confirmed');
  await visit('/auth/link-expired?type=recovery', 'This link no longer works');
  await keepSession(page, await signedIn(request, demo('influencer')));
  await visit('/auth/new-password', 'Set a new password');
  await visit('/auth/confirmed?what=signup', 'Your e-mail is confirmed');
});

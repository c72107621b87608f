// Mailed links, with the server's answers written here: every way a link can end.

import { expect, type Page, type Request } from '@playwright/test';
import { expectAccessible } from './accessibility';
import { type Caller, signedIn } from './accounts';
import { demo } from './people';
import { test } from './test';

const VERIFY = '**/auth/v1/verify';
const ASKED = { signup: 'Confirm my e-mail', recovery: 'Choose a new password', invite: 'Accept the invitation' };
const link = (type: string, more = '') => `/auth/confirm?token_hash=abc123&type=${type}${more}`;
const heading = (page: Page) => page.getByRole('heading', { level: 1 });

async function verifyAnswers(page: Page, status: number, json: object) {
  const asked: Request[] = [];
  await page.route(VERIFY, (route) => {
    asked.push(route.request());
    return route.fulfill({ status, headers: { 'x-supabase-api-version': '2024-01-01' }, json });
  });
  return asked;
}

const EXPIRED = { code: 'otp_expired', message: 'Email link is invalid or has expired' };
const hashOf = (caller: Caller, type: string) => {
  const { access_token, refresh_token } = caller.session as Record<string, string>;
  const expires_at = Math.floor(Date.now() / 1000) + 3600;
  return `access_token=${access_token}&expires_at=${expires_at}&expires_in=3600&refresh_token=${refresh_token}&sb=&token_type=bearer&type=${type}`;
};

for (const [type, button] of Object.entries(ASKED)) {
  test(`opening a ${type} link uses nothing up, its button does`, async ({ page, request }) => {
    const caller = await signedIn(request, demo('influencer'));
    const asked = await verifyAnswers(page, 200, caller.session as object);
    await page.goto(link(type));
    await expect(page.getByRole('button', { name: button })).toBeVisible();
    await page.waitForTimeout(300);
    expect(asked).toHaveLength(0);
    await page.getByRole('button', { name: button }).dblclick();
    await expect(page).toHaveURL(type === 'signup' ? /\/auth\/confirmed\?/ : /\/auth\/new-password$/);
    expect(asked.map((sent) => sent.postDataJSON())).toMatchObject([{ token_hash: 'abc123', type }]);
    // The link is not what Back leads to.
    expect(page.url()).not.toContain('abc123');
  });
}

test('a confirmed e-mail leads to the portal of its owner', async ({ page, request, baseURL }) => {
  const caller = await signedIn(request, demo('vendor'));
  await verifyAnswers(page, 200, caller.session as object);
  // Written as the server does: with the whole address, here the home page.
  await page.goto(link('signup', `&redirect_to=${encodeURIComponent(`${baseURL}/`)}`));
  await page.getByRole('button', { name: 'Confirm my e-mail' }).click();
  await expect(heading(page)).toHaveText('Your e-mail is confirmed');
  await expect(heading(page)).toBeFocused();
  await expect(page.getByText(`You're signed in as ${demo('vendor')}.`)).toBeVisible();
  await page.getByRole('link', { name: 'Go to Dashboard' }).click();
  await expect(page).toHaveURL(/\/vendor-dashboard$/);
});

test('a link leads nowhere else, and to no other role’s dashboard', async ({ page, request }) => {
  const caller = await signedIn(request, demo('agency'));
  await verifyAnswers(page, 200, caller.session as object);
  for (const place of ['https://evil.test/', '//evil.test', 'javascript:alert(1)', '/vendor-dashboard']) {
    await page.goto(link('signup', `&next=${encodeURIComponent(place)}`));
    await page.getByRole('button', { name: 'Confirm my e-mail' }).click();
    await expect(page.getByRole('link', { name: 'Go to Dashboard' })).toHaveAttribute('href', '/agency-dashboard');
  }
});

for (const [type, text, again] of [
  ['recovery', 'Your password has not changed.', '/auth/forgot-password'],
  ['signup', 'If you confirmed before, just sign in.', '/auth/send-confirmation'],
  ['email_change', 'Your e-mail has not changed.', '/auth/send-change'],
] as const) {
  test(`a ${type} link that is used or too old says so, and another can be asked for`, async ({ page }) => {
    await verifyAnswers(page, 403, EXPIRED);
    await page.goto(link(type, '&next=%2Fagency-dashboard'));
    await page.getByRole('main').getByRole('button').click();
    await expect(page.getByRole('alert')).toContainText('This link no longer works');
    await expect(page.getByRole('alert')).toContainText(text);
    await expect(page.getByRole('link', { name: 'Back to Sign In' })).toHaveAttribute('href', '/agency-auth');
    let posted: unknown;
    await page.route(/\/auth\/v1\/(recover|resend)/, (route) => {
      posted = route.request().postDataJSON();
      return route.fulfill({ json: {} });
    });
    await page.getByRole('link', { name: 'Send a new link' }).click();
    await expect(page).toHaveURL(new RegExp(`${again}\\?portal=agency$`));
    await page.getByLabel('E-mail').fill('nadia@example.test');
    await page.getByRole('button', { name: /^Send link/ }).click();
    await expect(heading(page)).toHaveText('Check your e-mail');
    expect(posted).toMatchObject(type === 'recovery' ? { email: 'nadia@example.test' } : { type });
  });
}

test('a link without what it needs is one that no longer works', async ({ page }) => {
  for (const path of ['/auth/confirm', '/auth/confirm?token_hash=a&type=toString', '/auth/confirm?type=signup']) {
    await page.goto(path);
    await expect(heading(page)).toHaveText('This link no longer works');
  }
});

test('a link can be tried again when the server was busy or away', async ({ page, request }) => {
  const caller = await signedIn(request, demo('influencer'));
  await verifyAnswers(page, 429, { code: 'over_request_rate_limit', message: 'Request rate limit reached' });
  await page.goto(link('signup'));
  const confirm = page.getByRole('button', { name: 'Confirm my e-mail' });
  await confirm.click();
  await expect(page.getByRole('alert').filter({ hasText: 'Request rate limit reached' })).toBeVisible();
  await page.unrouteAll();
  await page.route(VERIFY, (route) => route.abort());
  await confirm.click();
  await expect(page.getByRole('alert').filter({ hasText: 'An unexpected error occurred' })).toBeVisible();
  await page.unrouteAll();
  await verifyAnswers(page, 200, caller.session as object);
  await confirm.click();
  await expect(heading(page)).toHaveText('Your e-mail is confirmed');
});

test('each half of a change of e-mail says which one it is', async ({ page, request }) => {
  await verifyAnswers(page, 200, { msg: 'Confirmation link accepted.', code: '200' });
  await page.goto(link('email_change'));
  await page.getByRole('button', { name: 'Confirm the change' }).click();
  await expect(heading(page)).toHaveText('One half is done');
  await page.goto('/#message=Confirmation+link+accepted.+Please+proceed&sb=');
  await expect(heading(page)).toHaveText('One half is done');
  await page.unrouteAll();
  await verifyAnswers(page, 200, (await signedIn(request, demo('vendor'))).session as object);
  await page.goto(link('email_change'));
  await page.getByRole('button', { name: 'Confirm the change' }).click();
  await expect(heading(page)).toHaveText('Your e-mail has changed');
  await expect(page.getByText(`From now on you sign in with ${demo('vendor')}.`)).toBeVisible();
});

test('a link that was followed through the server goes on from any page', async ({ page, request }) => {
  const caller = await signedIn(request, demo('influencer'));
  await page.goto(`/pricing#${hashOf(caller, 'recovery')}`);
  await expect(page.getByText(`For ${demo('influencer')}.`)).toBeVisible();
  expect(page.url()).not.toContain('access_token');
  await page.evaluate(() => localStorage.clear());

  const another = await signedIn(request, demo('agency'));
  await page.goto('/about-us');
  await page.goto(`/?from=mail#${hashOf(another, 'magiclink')}`);
  await expect(page).toHaveURL(/\/agency-dashboard$/);
});

test('an error behind any address is told on its page, and ends no session', async ({ page, request }) => {
  const hash = 'error=access_denied&error_code=otp_expired&error_description=Email+link+is+invalid+or+has+expired&sb=';
  for (const path of [`/#${hash}`, `/vendor-dashboard#${hash}`, `/auth/confirm?${hash}#${hash}`]) {
    await page.goto('/about-us');
    await page.goto(path);
    await expect(heading(page)).toHaveText('This link no longer works');
  }
  const caller = await signedIn(request, demo('agency'));
  await page.evaluate((kept) => localStorage.setItem('serasi-session', JSON.stringify(kept)), caller.session);
  await page.goto('/about-us');
  await page.goto(`/#${hash}`);
  await expect(heading(page)).toHaveText('This link no longer works');
  await page.getByRole('link', { name: 'Back to Home' }).click();
  await expect(page.getByRole('link', { name: 'Dashboard' })).toBeVisible();
});

test('a code whose key is in another browser is a link that does not work here', async ({ page }) => {
  await page.goto('/auth/confirm?code=5a1b1b6e-0000-4000-8000-000000000000');
  await expect(heading(page)).toHaveText('This link no longer works');
});

test('the new password is asked for only from who is signed in', async ({ page }) => {
  await page.goto('/auth/new-password?next=/vendor-dashboard');
  await expect(page).toHaveURL(/\/auth\/forgot-password\?portal=vendor$/);
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`the pages around a link shut nobody out (${colorScheme})`, async ({ page, request }) => {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const caller = await signedIn(request, demo('influencer'));
    const visit = async (path: string, title: string) => {
      await page.setViewportSize({ width: 1440, height: 900 });
      await page.goto(path);
      await expect(heading(page)).toHaveText(title);
      await expectAccessible(page);
      await page.setViewportSize({ width: 360, height: 800 });
      await expectAccessible(page);
      await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
    };
    await visit('/auth/forgot-password', 'Forgot your password?');
    await visit('/auth/send-confirmation', 'Confirm your e-mail');
    await visit(link('signup'), 'Confirm your e-mail');
    await visit('/auth/confirmed?what=half', 'One half is done');
    await visit('/auth/link-expired?type=recovery', 'This link no longer works');
    await page.evaluate((kept) => localStorage.setItem('serasi-session', JSON.stringify(kept)), caller.session);
    await visit('/auth/new-password', 'Set a new password');
    await visit('/auth/confirmed?what=signup', 'Your e-mail is confirmed');
  });
}

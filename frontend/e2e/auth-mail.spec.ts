// Flows with real e-mails: from the request to the link and the page it opens.

import { type APIRequestContext, expect, type Page } from '@playwright/test';
import { newInfluencer } from './accounts';
import { linkTo, mailsTo } from './mailbox';
import { PASSWORD, somebodyNew } from './people';
import { test } from './test';

const heading = (page: Page) => page.getByRole('heading', { level: 1 });

async function forget(page: Page, portal: string, email: string) {
  await page.goto(portal);
  await page.getByLabel('E-mail').fill(email);
  await page.getByRole('link', { name: 'Forgot password?' }).click();
  await page.getByRole('button', { name: 'Send link' }).click();
  await expect(heading(page)).toHaveText('Check your e-mail');
}

async function signUpVendor(page: Page, email: string) {
  await page.goto('/vendor-auth?tab=sign-up');
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password', { exact: true }).fill('rahsia88');
  await page.getByRole('button', { name: 'Sign Up' }).click();
}

async function registeredVendor(page: Page, request: APIRequestContext) {
  const me = somebodyNew();
  await signUpVendor(page, me.email);
  await expect(page.getByRole('status').filter({ hasText: 'Success!' })).toBeVisible();
  const link = await linkTo(request, me.email);
  return { ...me, link };
}

/**
 * The first proof by e-mail voids a password that a stranger may have set, unless an operator has vouched for the
 * address.
 */
async function vouchFor(request: APIRequestContext, userId: string) {
  const answer = await request.put(`/auth/v1/admin/users/${userId}`, {
    headers: {
      apikey: process.env.SERVICE_ROLE_KEY ?? '',
      Authorization: `Bearer ${process.env.SERVICE_ROLE_KEY}`,
    },
    data: { email_confirm: true },
  });
  expect(answer.status(), await answer.text()).toBe(200);
}

test('resetting a forgotten password ends every other session', async ({ page, request }) => {
  const me = await newInfluencer(request);
  await vouchFor(request, me.userId);
  const signInAnswer = (password: string) =>
    request.post('/auth/v1/token?grant_type=password', { headers: me.headers, data: { email: me.email, password } });

  await forget(page, '/auth', me.email);
  const link = await linkTo(request, me.email);
  // A mail scanner opens the link first.
  for (let look = 0; look < 3; look += 1) expect((await request.get(link)).ok()).toBe(true);
  await page.goto(link);
  await page.getByRole('button', { name: 'Choose a new password' }).click();
  await expect(page.getByText(`For ${me.email}.`)).toBeVisible();
  await page.getByLabel('New password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Save new password' }).click();
  await expect(page.getByText('New password should be different from the old password.')).toBeVisible();
  await page.getByLabel('New password').fill('brand-new-88');
  await page.getByRole('button', { name: 'Save new password' }).click();
  await expect(page.getByText('Your password has changed')).toBeVisible();
  await expect(page).toHaveURL(/\/dashboard$/);

  const { refresh_token } = me.session as { refresh_token: string };
  const refresh = await request.post('/auth/v1/token?grant_type=refresh_token', {
    headers: me.headers,
    data: { refresh_token },
  });
  expect(refresh.status()).toBe(400);
  expect((await signInAnswer('brand-new-88')).ok()).toBe(true);
  expect(await (await signInAnswer(PASSWORD)).json()).toMatchObject({ error_code: 'invalid_credentials' });
  await page.goto(link);
  await page.getByRole('button', { name: 'Choose a new password' }).click();
  await expect(heading(page)).toHaveText('This link no longer works');
});

test('a password reset request does not reveal whether an account exists', async ({ page, request }) => {
  const [me, nobody] = [await newInfluencer(request), somebodyNew()];
  const answers: string[] = [];
  await page.goto('/auth/forgot-password?portal=agency');
  for (const email of [me.email, nobody.email, me.email, nobody.email]) {
    await page.getByLabel('E-mail').fill(email);
    await page.getByRole('button', { name: 'Send link' }).click();
    await expect(heading(page)).toHaveText('Check your e-mail');
    const said = await page.getByRole('main').innerText();
    answers.push(said.replaceAll(email, 'ADDRESS').replace(/\d:\d\d/, 'CLOCK'));
    await page.getByRole('button', { name: 'Use another e-mail' }).click();
  }
  expect(new Set(answers).size).toBe(1);
  await linkTo(request, me.email);
  expect(await mailsTo(request, nobody.email)).toEqual([]);
});

test('a vendor confirms the e-mail before the first sign-in, and can register it only once', async ({
  page,
  request,
}) => {
  const me = await registeredVendor(page, request);
  await expect(page.getByRole('tab', { name: 'Sign In' })).toHaveAttribute('aria-selected', 'true');
  await expect(page.getByLabel('E-mail')).toHaveValue(me.email);
  await expect(
    page.getByRole('status').filter({ hasText: 'Please check your email to confirm your account' }),
  ).toBeVisible();
  await page.getByRole('button', { name: 'Sign In' }).click();
  const refusal = page.getByRole('alert').filter({ hasText: 'Email not confirmed' });
  await expect(refusal).toBeVisible();
  await refusal.getByRole('link', { name: 'Send the confirmation again' }).click();
  await expect(page.getByLabel('E-mail')).toHaveValue(me.email);

  for (let look = 0; look < 3; look += 1) expect((await request.get(me.link)).ok()).toBe(true);
  await page.goto(me.link);
  await page.getByRole('button', { name: 'Confirm my e-mail' }).click();
  await expect(heading(page)).toHaveText('Your e-mail is confirmed');
  await page.getByRole('link', { name: 'Go to Dashboard' }).click();
  await expect(page).toHaveURL(/\/vendor-dashboard$/);
  await page.goto(me.link);
  await page.getByRole('button', { name: 'Confirm my e-mail' }).click();
  await expect(heading(page)).toHaveText('This link no longer works');

  await page.evaluate(() => localStorage.clear());
  await signUpVendor(page, me.email);
  await expect(
    page.getByRole('alert').filter({ hasText: 'This email is already registered. Please sign in instead.' }),
  ).toBeVisible();
  expect(await mailsTo(request, me.email)).toHaveLength(1);
});

test('a change of e-mail requires both links', async ({ page, request }) => {
  const [me, next] = [await newInfluencer(request), somebodyNew()];
  const answer = await request.put('/auth/v1/user', { headers: me.headers, data: { email: next.email } });
  expect(answer.ok(), await answer.text()).toBe(true);
  for (const [address, title] of [
    [me.email, 'First address confirmed'],
    [next.email, 'Your e-mail has changed'],
  ] as const) {
    await page.goto(await linkTo(request, address));
    await page.getByRole('button', { name: 'Confirm the change' }).click();
    await expect(heading(page)).toHaveText(title);
  }
  await expect(page.getByText(`From now on, sign in with ${next.email}.`)).toBeVisible();
});

test('a link that the server verifies for other clients also leads to the new-password page', async ({
  page,
  request,
}) => {
  const me = await newInfluencer(request);
  await forget(page, '/auth', me.email);
  const link = new URL(await linkTo(request, me.email), 'http://site.test').searchParams;
  const place = new URL('/pricing', page.url()).toString();
  const query = new URLSearchParams({
    token: link.get('token_hash') ?? '',
    type: 'recovery',
    redirect_to: place,
  }).toString();
  await page.goto(`/auth/v1/verify?${query}`);
  await expect(page.getByText(`For ${me.email}.`)).toBeVisible();
  await page.goto('/about-us');
  await page.goto(`/auth/v1/verify?${query}`);
  await expect(heading(page)).toHaveText('This link no longer works');
});

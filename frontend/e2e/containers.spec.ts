// The full flow through compose.yaml. `cargo xtask test containers` starts it and sets BASE_URL, MAIL_SERVER_URL (the mail
// catcher) and the superadmin that `serasi create-superadmin` made.
import assert from 'node:assert/strict';
import { type APIRequestContext, expect, type Page } from '@playwright/test';
import { eventually } from './eventually';
import { PASSWORD, signIn, somebodyNew } from './people';
import { test } from './test';

const { HTTP_URL = '', MAIL_SERVER_URL = '', SUPERADMIN_EMAIL = '', SUPERADMIN_PASSWORD = '' } = process.env;

interface Caught {
  ID: string;
  Subject: string;
  To: { Address: string }[];
}

/** The text of the newest e-mail to an address, in Mailpit's API. */
async function mailTo(request: APIRequestContext, address: string, subject: RegExp) {
  return eventually(async () => {
    const { messages }: { messages: Caught[] } = await (await request.get(`${MAIL_SERVER_URL}/api/v1/messages`)).json();
    const found = messages.find((mail) => mail.To.some((to) => to.Address === address) && subject.test(mail.Subject));
    assert.ok(found, `no e-mail to ${address} about ${subject}: ${messages.map((mail) => mail.Subject).join(', ')}`);
    const mail: { Text: string } = await (await request.get(`${MAIL_SERVER_URL}/api/v1/message/${found.ID}`)).json();
    return mail.Text;
  }, 40_000);
}

async function signUp(page: Page, portal: string, email: string) {
  await page.goto(`${portal}?tab=sign-up`);
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign Up' }).click();
}

test('a vendor confirms the address by e-mail and saves the profile', async ({ page, request, baseURL }) => {
  const me = somebodyNew();
  await signUp(page, '/vendor-auth', me.email);
  await expect(page.getByRole('status').filter({ hasText: 'Success!' })).toBeVisible();
  const link = (await mailTo(request, me.email, /confirm/i)).match(/https?:\/\/\S+/)?.[0] ?? '';
  expect(link.startsWith(`${baseURL}/`), link).toBe(true);
  await page.goto(link);
  await page.getByRole('button', { name: 'Confirm my e-mail' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your e-mail is confirmed');
  await page.getByRole('link', { name: 'Go to Dashboard' }).click();
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill(me.name);
  await page.getByRole('button', { name: 'Save Profile' }).click();
  await expect(page.getByText('Vendor profile saved successfully!')).toBeVisible();
});

test('an influencer saves a profile with a picture, a new admin approves it, and a visitor finds it', async ({
  page,
  browser,
  request,
}) => {
  const [me, admin] = [somebodyNew(), somebodyNew()];
  await test.step('the influencer saves the profile', async () => {
    await signUp(page, '/auth', me.email);
    await expect(page).toHaveURL(/\/dashboard$/);
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill(me.name);
    await page.getByRole('textbox', { name: 'Username' }).fill(me.username);
    await page.getByLabel('Category').click();
    await page.getByRole('option', { name: 'Travel' }).click();
    await page.getByLabel('Location').fill('Kuching, Sarawak');
    await page.getByLabel('Bio').fill('River trips and longhouse kitchens.');
    await page.locator('input[type=file][aria-label="Change photo"]').setInputFiles('e2e/fixtures/portrait.jpg');
    await page.getByRole('dialog').getByRole('button', { name: 'Apply' }).click();
    await page.getByRole('button', { name: 'Save Profile' }).click();
    await expect(page.getByText('Profile saved successfully!')).toBeVisible();
  });

  await test.step('the superadmin creates an admin', async () => {
    const superadmin = await (await browser.newContext()).newPage();
    await signIn(superadmin, '/admin/login', SUPERADMIN_EMAIL, SUPERADMIN_PASSWORD);
    await superadmin.getByText('Admin login successful').waitFor();
    await superadmin.goto('/superadmin?tab=create');
    await superadmin.getByLabel('E-mail').fill(admin.email);
    await superadmin.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await superadmin.getByRole('button', { name: 'Create Admin' }).click();
    await expect(superadmin.getByText('Admin user created successfully')).toBeVisible();
  });

  await test.step('the admin approves the profile, and the influencer gets an e-mail', async () => {
    const other = await (await browser.newContext()).newPage();
    await signIn(other, '/admin/login', admin.email);
    await other.getByRole('button', { name: `Approve ${me.name}` }).click();
    await expect(other.getByText('Influencer account approved')).toBeVisible();
    await mailTo(request, me.email, /approved/i);
  });

  await test.step('a visitor finds the profile with its picture', async () => {
    const visitor = await (await browser.newContext()).newPage();
    await visitor.goto(`/search?q=${encodeURIComponent(me.username)}`);
    await visitor.getByRole('link', { name: me.name }).click();
    await expect(visitor.getByRole('heading', { name: `@${me.username}` })).toBeVisible();
    const portrait = visitor.getByRole('img', { name: me.name, exact: true });
    await expect.poll(() => portrait.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
  });
});

test('the front answers like `serasi up`, with TLS, HTTP/2 and compression', async ({ page, request, baseURL }) => {
  const health = await request.get('/health');
  expect([health.status(), await health.json()]).toEqual([200, { status: 'ok' }]);
  expect((await request.get('/dev/mail')).status()).toBe(404);
  const home = await request.get('/');
  expect(home.headers()['content-encoding']).toMatch(/br|gzip/);
  expect(home.headers()['strict-transport-security']).toContain('max-age=');
  const list = await request.get('/rest/v1/influencers?limit=20', { headers: { 'accept-encoding': 'gzip' } });
  expect([list.status(), list.headers()['content-encoding']]).toEqual([200, 'gzip']);
  const redirected = await request.get(`${HTTP_URL}/explore?a=b`, { maxRedirects: 0 });
  expect([redirected.status(), redirected.headers().location]).toEqual([308, `${baseURL}/explore?a=b`]);
  await page.goto('/');
  const protocol = () =>
    performance.getEntriesByType('navigation').map((entry) => 'nextHopProtocol' in entry && entry.nextHopProtocol);
  expect(await page.evaluate(protocol)).toEqual(['h2']);
});

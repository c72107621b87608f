// People who fill every field to its limit: without a space, from right to left, and in emoji. No page may get wider
// than the window.
import assert from 'node:assert/strict';
import { expect, type Locator, type Page } from '@playwright/test';
import { expectNoSidewaysScroll } from './accessibility';
import { changeAsAdmin, deleteAsAdmin, newInfluencer, startSession } from './accounts';
import type { Api } from './api';
import { asAdmin, newAgency, newVendor, withRecord } from './businesses';
import { eventually } from './eventually';
import { mailsTo } from './mailbox';
import { signInAsAdmin, somebodyNew } from './people';
import { test } from './test';

const WIDTHS = [320, 360, 390, 768, 1024, 1440, 1920];
/** The search text for the lists. */
const mark = somebodyNew().username.slice(6);

/** Text of exactly `limit` characters, as PostgreSQL counts them. */
const unbroken = (limit: number) => mark.padEnd(limit, 'Perusahaanperkhidmatanmajlis');
const arabic = (limit: number) => `${mark}${'مؤسسةالخدماتوالفعاليات'.repeat(30)}`.slice(0, limit);
const emoji = (limit: number) => mark + '🎉'.repeat(limit - mark.length);
const SCRIPTS = [unbroken, arabic, emoji];

const business = (full: (limit: number) => string) => ({
  name: full(100),
  company_name: full(100),
  description: full(500),
  location: full(100),
  phone: '+60 12-345 678901234',
  website: `https://${'w'.repeat(60)}.example.test/${'p'.repeat(100)}`,
});

const gallery = ['/storage/v1/object/public/images/demo/scenes/pulau.webp'];

const influencer = (full: (limit: number) => string) => ({
  name: full(100),
  bio: full(500),
  location: full(100),
  language: full(50),
  ethnicity: full(50),
  religion: full(50),
  height: full(50),
  instagram_followers: '123,456,789.123K',
  tiktok_followers: '123,456,789.123K',
  youtube_followers: '123,456,789.123K',
  twitter_followers: '123,456,789.123K',
  instagram_link: `https://instagram.com/${'i'.repeat(200)}`,
  services: [{ title: full(100), description: full(1000), price: full(50) }],
});

test.describe.configure({ mode: 'serial' });

const cleanUp: ((request: Api) => Promise<void>)[] = [];
let profile: Awaited<ReturnType<typeof newInfluencer>>;
let agency: Awaited<ReturnType<typeof withRecord>>;

test.beforeAll(async ({ request }) => {
  for (const full of SCRIPTS) {
    const me = await newInfluencer(request);
    profile ??= me;
    const saved = await request.patch(`/rest/v1/influencers?user_id=eq.${me.userId}`, {
      headers: me.headers,
      data: influencer(full),
    });
    expect(saved.ok(), await saved.text()).toBe(true);
    await changeAsAdmin(request, me.userId, { approved: true, badge_type: 'gold' });
    cleanUp.push((request) => deleteAsAdmin(request, me.userId));
    const made = await withRecord(request, 'agencies', await newAgency(request), { ...business(full), gallery });
    agency ??= made;
    cleanUp.push((request) => asAdmin(request, 'agencies', made.userId, 'delete'));
    const posted = await request.post('/rest/v1/gigs', {
      headers: made.headers,
      data: {
        agency_id: made.id,
        title: full(200),
        description: full(5000),
        budget: full(100),
        duration: full(100),
        requirements: full(2000),
      },
    });
    expect(posted.ok(), await posted.text()).toBe(true);
    const vendor = await withRecord(request, 'vendors', await newVendor(request), business(full));
    cleanUp.push((request) => asAdmin(request, 'vendors', vendor.userId, 'delete'));
  }
});

test.afterAll(async ({ request }) => {
  for (const undo of cleanUp) await undo(request);
});

async function expectToFit(page: Page, path: string, widths = WIDTHS) {
  await page.goto(path);
  await expect(page.getByText(mark).first()).toBeVisible();
  await expectNoSidewaysScroll(page, widths);
}

test('the lists are never wider than the window', async ({ page }) => {
  for (const path of ['/search', '/search/influencers', '/search/agencies', '/search/vendors', '/explore']) {
    await expectToFit(page, `${path}?q=${mark}`);
  }
  await expectToFit(page, `/explore?tab=agencies&q=${mark}`);
});

test('the toast of a shared profile is never wider than the window', async ({ page }) => {
  // Devices without a share sheet copy the link; with one, the toast names the person.
  await page.addInitScript(() => Object.defineProperty(navigator, 'share', { value: async () => {} }));
  await page.goto(`/search?q=${mark}`);
  await expect(page.getByRole('article')).toHaveCount(SCRIPTS.length);
  for (const share of await page.getByRole('button', { name: /^Share / }).all()) await share.click();
  const toasts = page.locator('[data-sonner-toast]');
  await expect(toasts).toHaveCount(SCRIPTS.length);
  for (const width of [320, 1440]) {
    await page.setViewportSize({ width, height: 800 });
    await toasts.first().hover();
    for (const toast of await toasts.all()) await expectToBeInside(toast, width);
  }
});

test('profiles are never wider than the window', async ({ page }) => {
  await expectToFit(page, `/profile/${profile.profileId}`, [1024, 1440, 1920]);
  await expectToFit(page, `/agency/${agency.id}`);
  await page.getByRole('button', { name: /picture 1 of 1$/ }).click();
  await expectDialogToFit(page, 'dialog');
});

test('the gigs and the dashboard are never wider than the window', async ({ page }) => {
  await startSession(page, profile);
  await expectToFit(page, '/gigs');
  await page.goto('/dashboard');
  await expect(page.getByRole('heading', { level: 1 })).toContainText(mark);
  await expectNoSidewaysScroll(page, WIDTHS);
});

test("the dashboard's dialogs are never wider than the window", async ({ page, request }) => {
  await startSession(page, profile);
  await page.goto('/dashboard');
  const location = page.getByLabel('Location');
  await expect(location).toHaveValue(new RegExp(mark));
  await page.locator('input[aria-label="Change photo"]').setInputFiles('e2e/fixtures/portrait.jpg');
  await expectDialogToFit(page, 'dialog');
  await page.keyboard.press('Escape');

  // The dialog that asks which version to keep contains every text that both tabs changed.
  const elsewhere = { location: 'Ipoh', bio: 'Slow trains', height: '162 cm', services: [] };
  const changed = await request.patch(`/rest/v1/influencers?user_id=eq.${profile.userId}`, {
    headers: profile.headers,
    data: elsewhere,
  });
  expect(changed.ok(), await changed.text()).toBe(true);
  await location.fill(unbroken(100).toUpperCase());
  await page.getByLabel('Bio').fill(unbroken(500).toUpperCase());
  await page.getByLabel('Height').fill(unbroken(50).toUpperCase());
  await page.getByRole('button', { name: 'Save Profile' }).click();
  await expectDialogToFit(page, 'alertdialog');
  await page.getByRole('button', { name: 'Keep mine' }).click();
  await expect(page.getByText('Profile saved successfully!')).toBeVisible();
});

test("the admins' tables are never wider than the window", async ({ page }) => {
  await signInAsAdmin(page);
  for (const tab of ['influencers', 'agencies', 'vendors']) await expectToFit(page, `/admin?tab=${tab}&q=${mark}`);
  await expectToFit(page, `/admin/influencer/${profile.profileId}`);
  await page.getByRole('button', { name: 'Delete profile' }).click();
  await expectDialogToFit(page, 'alertdialog');
});

/** The dialog may scroll down, but never sideways. */
async function expectDialogToFit(page: Page, role: 'dialog' | 'alertdialog') {
  const dialog = page.getByRole(role);
  await expect(dialog).toBeVisible();
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 800 });
    await expectToBeInside(dialog, width);
  }
}

/** Neither the box nor anything in it is cut off at a side. */
async function expectToBeInside(box: Locator, width: number) {
  const wider = () => box.evaluate((element) => element.scrollWidth - element.clientWidth);
  await expect.poll(wider, `content at ${width}`).toBeLessThanOrEqual(0);
  const edges = async () => {
    const place = await box.boundingBox();
    return place !== null && place.x >= 0 && place.x + place.width <= width;
  };
  await expect.poll(edges, `box at ${width}`).toBe(true);
}

test('the favorites are never wider than the window', async ({ page }) => {
  const stored = JSON.stringify({ state: { ids: [profile.profileId] }, version: 0 });
  await page.addInitScript((value) => localStorage.setItem('serasi-favourites', value), stored);
  await expectToFit(page, '/favorites');
});

test('the gigs of an agency and their dialogs are never wider than the window', async ({ page }) => {
  await startSession(page, agency);
  await page.goto('/agency-dashboard');
  await page.getByRole('tab', { name: 'Gigs' }).click();
  await expect(page.getByRole('button', { name: /^Edit gig/ })).toBeVisible();
  await expectNoSidewaysScroll(page, WIDTHS);
  await page.getByRole('button', { name: /^Edit gig/ }).click();
  await expectDialogToFit(page, 'dialog');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: /^Delete gig/ }).click();
  await expectDialogToFit(page, 'alertdialog');
});

test('an e-mail is never wider than the window', async ({ page, request }) => {
  const mail = await eventually(async () => {
    const approved = (await mailsTo(request, profile.email)).find(({ template }) => template === 'approved');
    assert.ok(approved, 'the e-mail about the approval');
    return approved;
  });
  await page.setContent(mail.html);
  await expect(page.locator('p', { hasText: mark })).toBeVisible();
  await expectNoSidewaysScroll(page, WIDTHS);
});

// The lists: search, filters, order and pages, all stored in the URL.
import { expect, type Page } from '@playwright/test';
import { enlargeText, expectAccessible, expectAccessibleInBoth } from './accessibility';
import { newInfluencer } from './accounts';
import { newBusiness, newStaff, openAs, rowOf } from './staff';
import { test } from './test';

/** Waits until the results of exactly this text are shown. */
async function expectAnswered(page: Page, text: string) {
  await expect(page).toHaveURL((url) => url.searchParams.get('q') === text);
  await expect(page.locator('[data-slot=table]')).toHaveAttribute('aria-busy', 'false');
}

test('each account is found by name, username, company and e-mail', async ({ page, request }) => {
  const person = await newInfluencer(request);
  const agency = await newBusiness(request, 'agency');
  await openAs(page, await newStaff(request), '/admin');
  const search = page.getByRole('searchbox', { name: 'Search accounts' });
  for (const text of [
    person.name,
    person.username,
    `@${person.username}`,
    person.email,
    `${person.email.slice(0, -5)}`,
  ]) {
    await search.fill(text);
    await expectAnswered(page, text);
    await expect(page.getByText('1–1 of 1'), text).toBeVisible();
    await expect(rowOf(page, person.name)).toContainText(person.email);
  }
  await search.fill('nobody@nowhere.at.all');
  await expect(page.getByRole('heading', { name: 'No matching accounts' })).toBeVisible();
  await page.getByRole('tab', { name: /^Agencies/ }).click();
  await expect(search).toHaveValue('');
  for (const text of [agency.email, `${agency.name} Sdn`]) {
    await search.fill(text);
    await expectAnswered(page, text);
    await expect(page.getByText('1–1 of 1'), text).toBeVisible();
    await expect(rowOf(page, agency.name)).toContainText(agency.email);
  }
});

test('filters, order and page are stored in the URL, and Back restores them', async ({ page, request }) => {
  await openAs(page, await newStaff(request), '/admin?tab=influencers');
  await expect(page.getByText(/^1–50 of/)).toBeVisible();
  await page.getByRole('button', { name: 'Next' }).click();
  await expect(page).toHaveURL(/page=2/);
  await expect(page.getByText(/^51–/)).toBeVisible();
  await page.getByRole('combobox', { name: 'Badge' }).click();
  await page.getByRole('option', { name: 'Gold' }).click();
  await expect(page).toHaveURL(/tab=influencers&badge=gold$/);
  await page.getByRole('combobox', { name: 'Order' }).click();
  await page.getByRole('option', { name: 'By name' }).click();
  await expect(page).toHaveURL(/sort=name/);
  const names = page.locator('[data-row]');
  await expect(page.getByRole('img', { name: 'gold badge' }).first()).toBeVisible();
  await expect(page.getByRole('img', { name: 'blue badge' })).toHaveCount(0);
  let shown: string[] = [];
  // Until the new rows arrive, those of the previous order are shown.
  await expect(async () => {
    shown = await names.allTextContents();
    expect(shown.length).toBeGreaterThan(2);
    // In the database's collation, capitals come before small letters.
    expect(shown).toEqual([...shown].sort());
  }).toPass({ timeout: 10_000 });

  await names.nth(1).click();
  await expect(page).toHaveURL(/\/admin\/influencer\//);
  await expect(page.getByRole('heading', { level: 1 })).toContainText(shown[1] ?? '');
  await page.getByRole('link', { name: 'Back to admin' }).click();
  await expect(page).toHaveURL(/tab=influencers&badge=gold&sort=name$/);
  await page.goBack();
  await page.goBack();
  await expect(page).toHaveURL(/sort=name/);
  await page.goBack();
  await page.goBack();
  await expect(page).toHaveURL(/page=2/);
  await expect(page.getByText(/^51–/)).toBeVisible();
  await page.goto('/admin?tab=influencers&page=99999');
  await expect(page).toHaveURL(/page=\d$/);
  await expect(names.first()).toBeVisible();
});

test('a deleted agency or vendor is removed permanently', async ({ page, request }) => {
  const admin = await newStaff(request);
  for (const kind of ['agency', 'vendor'] as const) {
    const tab = kind === 'agency' ? 'agencies' : 'vendors';
    const me = await newBusiness(request, kind);
    await openAs(page, admin, `/admin?tab=${tab}&q=${encodeURIComponent(me.email)}`);
    await page.getByRole('button', { name: `Delete ${me.name}` }).click();
    await expect(page.getByRole('alertdialog')).toContainText("This can't be undone.");
    await page.keyboard.press('Escape');
    await expect(page.getByRole('button', { name: `Delete ${me.name}` })).toBeFocused();
    await page.getByRole('button', { name: `Delete ${me.name}` }).click();
    await page.getByRole('button', { name: 'Delete profile' }).click();
    await expect(page.getByText(`${kind === 'agency' ? 'Agency' : 'Vendor'} profile deleted`)).toBeVisible();
    await expect(rowOf(page, me.name)).toBeHidden();
    const left = await request.get(`/rest/v1/${tab}?select=id&id=eq.${me.profileId}`, { headers: me.headers });
    expect(await left.json()).toEqual([]);
  }
});

test('a list that fails to load shows an error, and can be retried', async ({ page, request }) => {
  let refuse = true;
  await page.route(/rest\/v1\/(agencies|user_roles\?select=user_id)/, (route) =>
    refuse ? route.fulfill({ status: 400, json: { code: '22000', message: 'No luck today.' } }) : route.continue(),
  );
  const admin = await newStaff(request);
  await openAs(page, admin, '/admin?tab=agencies');
  const toast = page.locator('[data-sonner-toast]');
  await expect(toast.filter({ hasText: 'Error loading data' })).toContainText('No luck today.');
  await page.getByRole('tab', { name: /^Admins/ }).click();
  await expect(toast.filter({ hasText: 'Failed to fetch admin users' })).toBeVisible();
  refuse = false;
  await page.getByRole('button', { name: 'Try again' }).click();
  // Admins can see other admins, but not change them.
  await expect(rowOf(page, admin.email)).toContainText('You');
  await expect(page.getByRole('button', { name: /^Delete/ })).toHaveCount(0);
});

const cutOff = (page: Page) =>
  page.evaluate(() => {
    const card = document.querySelector('[data-slot=table]') as HTMLElement;
    return [card.scrollWidth - card.clientWidth, document.documentElement.scrollWidth - innerWidth];
  });

test('no column is cut off, at any width', async ({ page, request }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await openAs(page, await newStaff(request), '/admin?tab=influencers');
  await expect(page.getByRole('row').nth(1)).toBeVisible();
  await expectAccessibleInBoth(page);
  for (const width of [1440, 1024, 800, 640, 390, 320]) {
    await page.setViewportSize({ width, height: 800 });
    await expect.poll(() => cutOff(page), `${width}`).toEqual([0, 0]);
  }
  await expectAccessible(page);
  await page.setViewportSize({ width: 640, height: 800 });
  await enlargeText(page);
  await expect.poll(async () => (await cutOff(page))[1], 'text of 200 %').toBe(0);
  const last = page.locator('[data-slot=table] button[aria-label^="Delete "]').first();
  await last.scrollIntoViewIfNeeded();
  await expect(last).toBeInViewport({ ratio: 1 });
});

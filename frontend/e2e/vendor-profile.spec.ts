// The vendor's dashboard: its form, its logo and the card preview. src/features/vendor-editor/editor.test.tsx tests the
// form's rules.
import { expect, type Page } from '@playwright/test';
import { startSession } from './accounts';
import { type Business, field, newVendor, recordOf, save, withRecord } from './businesses';
import { test } from './test';
import { weakLine } from './weak-line';

const SAVED = 'Vendor profile saved successfully!';

async function open(page: Page, business: Business, origin = '') {
  await startSession(page, business);
  await page.goto(`${origin}/vendor-dashboard`);
  await expect(page.getByRole('button', { name: 'Save Profile' })).toBeVisible();
}

test('the first save, by keyboard only, removes the welcome and adds the card to the search', async ({
  page,
  request,
}) => {
  const me = await newVendor(request);
  await open(page, me);
  await expect(page.getByRole('heading', { name: 'Welcome to Serasi' })).toBeVisible();
  const card = page.getByRole('complementary', { name: 'How your card looks in search' });
  await expect(card).toContainText('Your Name');
  await page.getByRole('tab', { name: 'Contact & Details' }).click();
  await save(page);
  await expect(page.locator('[data-slot=error]')).toHaveText(['Name is required']);
  await expect(field(page, 'Name')).toBeFocused();
  await expect(page.locator('[data-sonner-toast]').filter({ hasText: 'Validation Error' })).toContainText(
    'Name is required',
  );
  await page.getByRole('tab', { name: 'Basic Info' }).focus();
  for (let steps = 0; steps < 8; steps += 1) {
    await page.keyboard.press('Tab');
    if (await field(page, 'Name').evaluate((input) => input === document.activeElement)) break;
  }
  await page.keyboard.type(me.name);
  await page.keyboard.press('Tab');
  await page.keyboard.type('Tandu Audio Works');
  await page.keyboard.press('Tab');
  await page.keyboard.type('Stage sound and wireless kits.');
  await expect(card).toContainText(me.name);
  await expect(page.getByText('30 / 500')).toBeVisible();
  await page.getByRole('tab', { name: 'Basic Info' }).focus();
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('heading', { name: 'Contact & Details' })).toBeVisible();
  await page.keyboard.press('Tab');
  for (const text of [me.email, '012-555 0148', 'https://tandu.test', 'Shah Alam, Selangor']) {
    if (text === me.email) {
      while (!(await field(page, 'E-mail').evaluate((input) => input === document.activeElement))) {
        await page.keyboard.press('Tab');
      }
    }
    await page.keyboard.type(text);
    await page.keyboard.press('Tab');
  }
  await expect(page.getByRole('button', { name: 'Equipment' })).toBeFocused();
  await page.keyboard.press('Space');
  await expect(page.getByRole('button', { name: 'Equipment' })).toHaveAttribute('aria-pressed', 'true');
  await field(page, 'Phone').focus();
  await page.keyboard.press('Enter');
  await expect(page.getByText(SAVED)).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Welcome to Serasi' })).toBeHidden();
  expect(await recordOf(request, 'vendors', me)).toMatchObject({
    name: me.name,
    company_name: 'Tandu Audio Works',
    description: 'Stage sound and wireless kits.',
    email: me.email,
    phone: '012-555 0148',
    website: 'https://tandu.test',
    location: 'Shah Alam, Selangor',
    type: 'Equipment',
  });
  await page.goto(`/search/vendors?q=${encodeURIComponent(me.name)}`);
  await expect(page.getByRole('article', { name: me.name })).toContainText('Equipment');
  await page.getByRole('link', { name: 'Dashboard' }).click();
  await expect(page).toHaveURL(/\/vendor-dashboard$/);
});

test('an interrupted logo upload keeps the old logo, and the save continues', async ({ page, request, baseURL }) => {
  const me = await withRecord(request, 'vendors', await newVendor(request));
  const line = await weakLine(baseURL ?? '');
  try {
    await open(page, me, line.url);
    const choose = async (file: string) => {
      await page.locator('input[type=file][aria-label="Change logo"]').setInputFiles(file);
      const dialog = page.getByRole('dialog', { name: 'Reposition logo' });
      await dialog.getByRole('button', { name: 'Apply' }).click();
      await expect(page.getByText('Image repositioned').first()).toBeVisible();
      // The message may still be about the previous picture.
      await expect(dialog).toBeHidden();
    };
    await choose('e2e/fixtures/portrait.jpg');
    await save(page);
    await expect(page.getByText(SAVED)).toBeVisible();
    const { logo_url: old } = await recordOf(request, 'vendors', me);
    expect(old).toMatch(new RegExp(`/images/${me.userId}/vendor-logo-\\d+\\.webp$`));

    await choose('e2e/fixtures/landscape.jpg');
    await field(page, 'Description').fill('Stored all the same');
    line.cutUploadsAfter(1_000);
    await save(page);
    await expect(page.getByText('Failed to upload vendor-logo image')).toBeVisible();
    await expect(async () => {
      const row = await recordOf(request, 'vendors', me);
      expect(row).toMatchObject({ description: 'Stored all the same', logo_url: old });
    }).toPass();
    await expect(page.getByRole('img', { name: 'Your logo' })).toHaveAttribute('src', /vendor-logo-\d+\.webp$/);
  } finally {
    await line.close();
  }
});

test('a save that the server rejects is reported, and no input is lost', async ({ page, request }) => {
  const me = await newVendor(request);
  await open(page, me);
  await field(page, 'Name').fill(me.name);
  await page.getByRole('tab', { name: 'Contact & Details' }).click();
  await field(page, 'E-mail').fill(me.email);
  const key = process.env.SERVICE_ROLE_KEY ?? '';
  const taken = await request.delete(`/rest/v1/user_roles?user_id=eq.${me.userId}`, {
    headers: { apikey: key, Authorization: `Bearer ${key}` },
  });
  expect(taken.ok(), await taken.text()).toBe(true);
  await save(page);
  await expect(page.getByText('Failed to save vendor profile')).toBeVisible();
  await expect(field(page, 'E-mail')).toHaveValue(me.email);
  await expect(page.getByText('Unsaved changes')).toBeVisible();
});

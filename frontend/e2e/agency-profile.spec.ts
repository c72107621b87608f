// The agency's dashboard: the first save, pictures, and leaving. src/features/agency-editor/editor.test.tsx tests the
// form's rules.
import { expect, type Locator, type Page } from '@playwright/test';
import { startSession } from './accounts';
import { asAdmin, type Business, field, newAgency, recordOf, save, withRecord } from './businesses';
import { test } from './test';

const SAVED = 'Agency profile saved successfully!';
const tab = (page: Page, name: string) => page.getByRole('tab', { name }).click();

async function open(page: Page, business: Business) {
  await startSession(page, business);
  await page.goto('/agency-dashboard');
  await expect(page.getByRole('tab', { name: 'Basic Info' })).toBeVisible();
}

test('the first save removes the welcome and adds the agency to the public search', async ({ page, request }) => {
  const me = await newAgency(request);
  await open(page, me);
  await expect(page.getByRole('heading', { name: 'Welcome to Serasi' })).toBeVisible();
  await expect(page.getByText('Nothing saved yet')).toBeVisible();
  await tab(page, 'Contract');
  await save(page);
  await expect(page.locator('form [data-slot=error]')).toHaveText(['Name is required']);
  await expect(field(page, 'Name')).toBeFocused();
  await field(page, 'Name').fill(me.name);
  await field(page, 'Company name').fill('Rimba Sdn Bhd');
  await field(page, 'Description').fill('We plan launches.');
  await expect(page.getByText('17 / 500')).toBeVisible();
  await tab(page, 'Contact & Details');
  await field(page, 'E-mail').fill(me.email);
  await field(page, 'Phone').fill('+60 9-555 0126');
  await expect(page.getByRole('complementary', { name: 'What visitors see' })).toContainText('Contact via WhatsApp');
  await field(page, 'Website').fill('https://rimba.test');
  await field(page, 'Location').fill('Kota Bharu, Kelantan');
  await page.getByRole('combobox', { name: 'Agency type' }).click();
  await page.getByRole('option', { name: 'PR' }).click();
  await tab(page, 'Contract');
  await page.getByRole('switch', { name: 'Contracts enabled' }).click();
  await expect(page.getByText('Switched on. Press Save Profile to keep it.')).toBeVisible();
  await save(page);
  await expect(page.getByText(SAVED)).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Welcome to Serasi' })).toBeHidden();
  await expect(page.getByRole('heading', { level: 1, name: me.name })).toBeVisible();
  await expect(page.getByText('All changes saved')).toBeVisible();
  expect(await recordOf(request, 'agencies', me)).toMatchObject({
    name: me.name,
    company_name: 'Rimba Sdn Bhd',
    description: 'We plan launches.',
    email: me.email,
    phone: '+60 9-555 0126',
    website: 'https://rimba.test',
    location: 'Kota Bharu, Kelantan',
    type: 'PR',
    contracts_enabled: true,
    gallery: [],
  });

  await page.getByRole('link', { name: 'Main Page' }).click();
  await expect(page).toHaveURL(/\/$/);
  await page.goto(`/search/agencies?q=${encodeURIComponent(me.name)}`);
  await page.getByRole('link', { name: me.name }).click();
  await expect(page.getByRole('heading', { level: 1, name: me.name })).toBeVisible();
  await page.getByRole('link', { name: 'Dashboard' }).click();
  await expect(page).toHaveURL(/\/agency-dashboard$/);
  await page.goto('/');
  await page.getByRole('button', { name: 'Account menu' }).click();
  await expect(page.getByRole('menu')).toContainText(me.name);
});

async function bottomOf(element: Locator): Promise<number> {
  const box = await element.boundingBox();
  if (!box) throw new Error('not visible');
  return box.y + box.height;
}

test('banner and logo are positioned, saved, and repositioned', async ({ page, request }) => {
  const me = await withRecord(request, 'agencies', await newAgency(request));
  await open(page, me);
  for (const [button, dialog] of [
    ['Change banner', 'Reposition banner'],
    ['Change logo', 'Reposition logo'],
  ] as const) {
    await page.locator(`input[type=file][aria-label="${button}"]`).setInputFiles('e2e/fixtures/landscape.jpg');
    const crop = page.getByRole('dialog', { name: dialog });
    const frame = crop.getByRole('application');
    await expect(frame).toBeVisible();
    await crop.getByRole('button', { name: 'Zoom in' }).click();
    await frame.focus();
    await page.keyboard.press('ArrowRight');
    await crop.getByRole('button', { name: 'Apply' }).click();
    await expect(page.getByText('Image repositioned').first()).toBeVisible();
    await expect(crop).toBeHidden();
  }
  await expect(page.getByText('Unsaved changes')).toBeVisible();
  await save(page);
  await expect(page.getByText(SAVED)).toBeVisible();
  const first = await recordOf(request, 'agencies', me);
  expect(first.banner_url).toMatch(new RegExp(`/images/${me.userId}/banner-\\d+\\.webp$`));
  expect(first.logo_url).toMatch(new RegExp(`/images/${me.userId}/logo-\\d+\\.webp$`));
  expect((await request.get(first.logo_url)).headers()['content-type']).toBe('image/webp');

  await page.reload();
  for (const width of [390, 320]) {
    await page.setViewportSize({ width, height: 844 });
    const bannerEnd = await bottomOf(page.getByAltText('Your banner'));
    for (const name of ['Change logo', 'Reposition logo']) {
      const box = await page.getByRole('button', { name }).boundingBox();
      expect(box?.y, `${name} is below the banner at ${width}`).toBeGreaterThanOrEqual(bannerEnd);
    }
  }
  await page.getByRole('button', { name: 'Reposition banner' }).click();
  const again = page.getByRole('dialog', { name: 'Reposition banner' });
  await again.getByRole('button', { name: 'Zoom in' }).click();
  await again.getByRole('button', { name: 'Apply' }).click();
  await save(page);
  await expect(page.getByText(SAVED)).toBeVisible();
  const second = await recordOf(request, 'agencies', me);
  expect(second.banner_url).not.toBe(first.banner_url);
  expect(second.logo_url).toBe(first.logo_url);
  await page.goto(`/agency/${me.id}`);
  await expect(page.getByRole('main').locator('img').first()).toHaveAttribute(
    'src',
    new RegExp(`${me.userId}/banner-`),
  );
});

test('the public page, a record that an admin deleted, and the dialog before leaving', async ({
  page,
  context,
  request,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const me = await withRecord(request, 'agencies', await newAgency(request));
  await open(page, me);
  await expect(page.getByRole('link', { name: 'View page' })).toHaveAttribute('href', `/agency/${me.id}`);
  await page.getByRole('button', { name: 'Copy profile link' }).click();
  await expect(page.getByText('Profile link has been copied to clipboard.')).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain(`/agency/${me.id}`);

  await asAdmin(request, 'agencies', me.userId, 'delete');
  await field(page, 'Description').fill('Again');
  await save(page);
  await expect(page.getByText(SAVED)).toBeVisible();
  expect(await recordOf(request, 'agencies', me)).toMatchObject({ name: me.name, description: 'Again' });

  await field(page, 'Company name').fill('Saved on the way out');
  await page.getByRole('link', { name: 'Main Page' }).click();
  const question = page.getByRole('alertdialog', { name: 'Save before you leave?' });
  await expect(question.getByText('Company name')).toBeVisible();
  await question.getByRole('button', { name: 'Stay' }).click();
  await expect(field(page, 'Company name')).toHaveValue('Saved on the way out');
  await page.getByRole('button', { name: 'Sign Out' }).click();
  await question.getByRole('button', { name: 'Save and leave' }).click();
  await expect(page).toHaveURL(/\/agency-auth$/);
  expect(await recordOf(request, 'agencies', me)).toMatchObject({ company_name: 'Saved on the way out' });
});

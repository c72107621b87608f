// The portals of agencies and vendors in both themes, on small screens and with large text.
import { expect, type Page } from '@playwright/test';
import { enlargeText, expectAccessible } from './accessibility';
import { startSession } from './accounts';
import { expectNoSidewaysScroll, newAgency, newVendor, withRecord } from './businesses';
import { test } from './test';

const LONG = 'Perusahaanperkhidmatanmajlis'.repeat(3);

const AGENCY_TABS = ['Basic Info', 'Gallery', 'Contact & Details', 'Contract', 'Gigs'];
const VENDOR_TABS = ['Basic Info', 'Contact & Details'];

for (const colorScheme of ['light', 'dark'] as const) {
  test(`the agency's tabs shut nobody out (${colorScheme})`, async ({ page, request }) => {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const me = await withRecord(request, 'agencies', await newAgency(request), { company_name: LONG, phone: '+60 9' });
    const posted = await request.post('/rest/v1/gigs', {
      headers: me.headers,
      data: { agency_id: me.id, title: LONG, description: 'x', budget: LONG, requirements: LONG },
    });
    expect(posted.status()).toBe(201);
    await startSession(page, me);
    await page.goto('/agency-dashboard');
    for (const name of AGENCY_TABS) {
      await page.getByRole('tab', { name }).click();
      await expect(page.getByRole('heading', { level: 2, name })).toBeVisible();
      await expectAccessible(page);
    }
    await page.getByRole('button', { name: 'Create Gig' }).click();
    await expect(page.getByRole('dialog', { name: 'Create New Gig' })).toBeVisible();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: /^Delete gig/ }).click();
    await expect(page.getByRole('alertdialog')).toBeVisible();
    await expectAccessible(page);
  });

  test(`the vendor's tabs shut nobody out (${colorScheme})`, async ({ page, request }) => {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await startSession(page, await newVendor(request));
    await page.goto('/vendor-dashboard');
    for (const name of VENDOR_TABS) {
      await page.getByRole('tab', { name }).click();
      await expect(page.getByRole('heading', { level: 2, name })).toBeVisible();
      await expectAccessible(page);
    }
    await page.getByRole('button', { name: 'Save Profile' }).click();
    await expect(page.getByText('Validation Error')).toBeVisible();
    await expectAccessible(page);
  });
}

async function expectTabsToFit(page: Page, tabs: readonly string[], text: string) {
  for (const name of tabs) {
    await page.getByRole('tab', { name }).click();
    await expect(page.getByRole('heading', { level: 2, name })).toBeVisible();
    await expect(page.getByRole('tab', { name })).toBeInViewport({ ratio: 1 });
    if (text === '200 %') await enlargeText(page);
    await expectNoSidewaysScroll(page);
  }
}

for (const [width, text] of [
  [320, '100 %'],
  [360, '100 %'],
  [640, '200 %'],
  [1024, '100 %'],
] as const) {
  test(`nothing is cut off at ${width} pixels with text of ${text}`, async ({ page, request }) => {
    await page.setViewportSize({ width, height: 780 });
    const agency = await withRecord(request, 'agencies', await newAgency(request), {
      company_name: LONG,
      website: `https://${LONG.toLowerCase().slice(0, 60)}.test`,
    });
    const posted = await request.post('/rest/v1/gigs', {
      headers: agency.headers,
      data: { agency_id: agency.id, title: LONG, description: 'x', budget: LONG, requirements: LONG },
    });
    expect(posted.status()).toBe(201);
    await startSession(page, agency);
    await page.goto('/agency-dashboard');
    await expectTabsToFit(page, AGENCY_TABS, text);
    if (text === '200 %') return;
    await page.getByRole('button', { name: 'Create Gig' }).click();
    const dialog = page.getByRole('dialog', { name: 'Create New Gig' });
    await expect(dialog.getByRole('button', { name: 'Create Gig' })).toBeInViewport({ ratio: 1 });
    await expectNoSidewaysScroll(page);
  });

  test(`nothing of a vendor is cut off at ${width} pixels with text of ${text}`, async ({ page, request }) => {
    await page.setViewportSize({ width, height: 780 });
    const vendor = await withRecord(request, 'vendors', await newVendor(request), {
      description: LONG,
      website: `https://${LONG.toLowerCase().slice(0, 60)}.test`,
    });
    await startSession(page, vendor);
    await page.goto('/vendor-dashboard');
    await expectTabsToFit(page, VENDOR_TABS, text);
  });
}

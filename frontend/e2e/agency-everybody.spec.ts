// The dashboards of agencies and vendors in both themes, on small screens and with large text. Each is loaded once.
import { expect, type Page } from '@playwright/test';
import { enlargeText, expectAccessibleInBoth, expectNoSidewaysScroll } from './accessibility';
import { startSession } from './accounts';
import { newAgency, newVendor, withRecord } from './businesses';
import { test } from './test';

const LONG = 'Perusahaanperkhidmatanmajlis'.repeat(3);
const WEBSITE = `https://${LONG.toLowerCase().slice(0, 60)}.test`;
const WIDTHS = [320, 360, 1024];
/** At these sizes the text is doubled. */
const LARGE_TEXT = 640;
const DESKTOP = { width: 1440, height: 900 };

const AGENCY_TABS = ['Basic Info', 'Gallery', 'Contact & Details', 'Contract', 'Gigs'];
const VENDOR_TABS = ['Basic Info', 'Contact & Details'];

test.use({ contextOptions: { reducedMotion: 'reduce' } });

async function openTab(page: Page, name: string) {
  await page.getByRole('tab', { name }).click();
  await expect(page.getByRole('heading', { level: 2, name })).toBeVisible();
}

async function expectTabsToFit(page: Page, tabs: readonly string[]) {
  await page.setViewportSize(DESKTOP);
  for (const name of tabs) {
    await openTab(page, name);
    await expectAccessibleInBoth(page);
  }
  // Large text comes last, because it can't be undone.
  for (const width of [...WIDTHS, LARGE_TEXT]) {
    await page.setViewportSize({ width, height: 780 });
    for (const name of tabs) {
      await openTab(page, name);
      if (width === LARGE_TEXT) await enlargeText(page);
      await expect(page.getByRole('tab', { name })).toBeInViewport({ ratio: 1 });
      await expectNoSidewaysScroll(page, [width]);
    }
  }
}

test('the agency dashboard is accessible, and nothing is cut off', async ({ page, request }) => {
  const me = await withRecord(request, 'agencies', await newAgency(request), {
    company_name: LONG,
    phone: '+60 9',
    website: WEBSITE,
  });
  const posted = await request.post('/rest/v1/gigs', {
    headers: me.headers,
    data: { agency_id: me.id, title: LONG, description: 'x', budget: LONG, requirements: LONG },
  });
  expect(posted.status()).toBe(201);
  await startSession(page, me);
  await page.goto('/agency-dashboard');
  await openTab(page, 'Gigs');
  await page.getByRole('button', { name: 'Create Gig' }).click();
  const dialog = page.getByRole('dialog', { name: 'Create New Gig' });
  await expect(dialog).toBeVisible();
  await expectAccessibleInBoth(page);
  for (const width of WIDTHS) {
    await expectNoSidewaysScroll(page, [width]);
    await expect(dialog.getByRole('button', { name: 'Create Gig' })).toBeInViewport({ ratio: 1 });
  }
  await page.setViewportSize(DESKTOP);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: /^Delete gig/ }).click();
  await expect(page.getByRole('alertdialog')).toBeVisible();
  await expectAccessibleInBoth(page);
  await page.keyboard.press('Escape');
  await expectTabsToFit(page, AGENCY_TABS);
});

test('the vendor dashboard is accessible, and nothing is cut off', async ({ page, request }) => {
  const me = await newVendor(request);
  await startSession(page, me);
  await page.goto('/vendor-dashboard');
  await page.getByRole('button', { name: 'Save Profile' }).click();
  await expect(page.getByText('Validation Error')).toBeVisible();
  await expectAccessibleInBoth(page);
  await page.getByRole('textbox', { name: 'Description', exact: true }).fill(LONG);
  await openTab(page, 'Contact & Details');
  await page.getByRole('textbox', { name: 'Website', exact: true }).fill(WEBSITE);
  await expectTabsToFit(page, VENDOR_TABS);
});

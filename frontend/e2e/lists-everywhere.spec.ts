import { expect, type Page } from '@playwright/test';
import { expectAccessible } from './accessibility';
import { test } from './test';

const SCREENS = [
  '/search',
  '/search/influencers',
  '/search/agencies',
  '/search/vendors',
  '/explore',
  '/explore?tab=agencies',
  '/explore?tab=events',
  '/explore?q=nobody-at-all',
];

/** Whether closed, or opened by the pointer that was left over it. */
const panel = (page: Page) => page.locator('.hover-title');

for (const width of [320, 360, 390, 768, 1024, 1440]) {
  test(`no list scrolls sideways at ${width}`, async ({ page }) => {
    await page.setViewportSize({ width, height: 844 });
    for (const path of SCREENS) {
      await page.goto(path);
      await expect(page.getByText(/^Found \d+ /)).toBeAttached();
      if (await panel(page).isVisible()) await panel(page).click();
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      expect(overflow, path).toBeLessThanOrEqual(0);
    }
  });
}

for (const colorScheme of ['light', 'dark'] as const) {
  for (const width of [390, 1440]) {
    test(`lists shut nobody out (${colorScheme}, ${width})`, async ({ page }) => {
      test.slow();
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      for (const path of SCREENS) {
        await page.goto(path);
        await expect(page.getByText(/^Found \d+ /)).toBeAttached();
        await page.waitForLoadState('networkidle');
        if (await panel(page).isVisible()) await panel(page).click();
        await expectAccessible(page);
      }
    });
  }
}

test('on a phone the filters of /search are a sheet, which gives the focus back', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/search?badge=Gold');
  const opener = page.getByRole('button', { name: 'Filters, 1 active' });
  await opener.click();
  const sheet = page.getByRole('dialog', { name: 'Filters' });
  await expect(sheet).toBeVisible();
  await expectAccessible(page);
  await sheet.getByRole('button', { name: 'Clear all' }).click();
  await expect(page).toHaveURL(/\/search$/);
  await sheet.getByRole('button', { name: 'Show influencers' }).click();
  await expect(sheet).toBeHidden();
  await expect(page.getByRole('button', { name: 'Filters, 0 active' })).toBeFocused();
});

test('filters that can not be loaded are told, and the next press shows them', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const files = /filter-(sheet|panel)[^/]*\.js/;
  await page.route(files, (route) => route.abort());
  await page.goto('/search');
  const opener = page.getByRole('button', { name: 'Filters, 0 active' });
  await opener.click();
  await expect(page.getByText("The filters can't be loaded")).toBeVisible();

  await page.unroute(files);
  await opener.click();
  await expect(page.getByRole('dialog', { name: 'Filters' })).toBeVisible();
});

test('the filters come by themselves a while after the rows', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const panel = page.waitForRequest(/\/filter-panel[^/]*\.js/);
  await page.goto('/search');
  await expect(page.getByText(/^Found \d+ /)).toBeAttached();
  await panel;
});

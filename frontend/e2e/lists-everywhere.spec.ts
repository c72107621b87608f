import { expect } from '@playwright/test';
import { expectAccessible } from './accessibility';
import { test } from './test';

test('on a phone the filters of /search open as a sheet, and closing it restores the focus', async ({ page }) => {
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

test('filters that fail to load show an error, and reloading the page loads them', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const files = /filter-(sheet|panel)[^/]*\.js/;
  await page.route(files, (route) => route.abort());
  await page.goto('/search');
  const opener = page.getByRole('button', { name: 'Filters, 0 active' });
  await opener.click();
  await expect(page.getByText("The filters can't be loaded")).toBeVisible();

  await page.unroute(files);
  const reloaded = page.waitForEvent('load');
  await page.getByRole('button', { name: 'Reload' }).click();
  await reloaded;
  await opener.click();
  await expect(page.getByRole('dialog', { name: 'Filters' })).toBeVisible();
});

test('the filters load by themselves a while after the rows', async ({ page }) => {
  await page.clock.install();
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/search');
  await expect(page.getByText(/^Found \d+ /)).toBeAttached();
  const panel = page.waitForRequest(/\/filter-panel[^/]*\.js/);
  await page.clock.fastForward(4_000);
  await panel;
});

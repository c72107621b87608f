import { expect } from '@playwright/test';
import { withoutFirstAnswers } from './first-answers';
import { afterRetry } from './list-controls';
import { test } from './test';

for (const [path, many] of [
  ['/search', 'influencers'],
  ['/search/influencers', 'influencers'],
  ['/search/agencies', 'agencies'],
  ['/search/vendors', 'vendors'],
  ['/explore', 'influencers'],
  ['/explore?tab=agencies', 'agencies'],
] as const) {
  test(`${path} shows that it is loading and that loading failed, and tries again`, async ({ page }) => {
    await page.clock.install();
    await withoutFirstAnswers(page);
    let answer: 'later' | 'refused' | 'down' | 'well' = 'later';
    await page.route('**/rest/v1/**', async (route) => {
      while (answer === 'later') await new Promise((resolve) => setTimeout(resolve, 50));
      if (answer === 'down') return route.abort();
      if (answer === 'refused') return route.fulfill({ status: 400, json: { code: '22000', message: 'No.' } });
      return route.continue();
    });
    await page.goto(path);
    await expect(page.getByText(`Loading ${many}...`)).toBeAttached();
    await expect(page.locator('main [data-slot=skeleton]').first()).toBeVisible();

    answer = 'refused';
    const toast = page.locator('[data-sonner-toast]').filter({ hasText: 'Error' });
    await afterRetry(page, toast);
    await expect(toast).toContainText(`Failed to load ${many}`);
    await expect(page.getByRole('heading', { name: `Failed to load ${many}` })).toBeVisible();

    answer = 'down';
    await page.getByRole('button', { name: 'Try again' }).click();
    await afterRetry(page, page.getByRole('heading', { name: "Serasi isn't responding" }));
    await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1);
    // The page also tries again by itself, which would remove the button before the click.
    await page.clock.pauseAt(await page.evaluate(() => Date.now() + 1_000));
    answer = 'well';
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.clock.resume();
    await expect(page.getByRole('article').first()).toBeVisible();
  });
}

test('a failed Load More keeps the list, and can be repeated', async ({ page }) => {
  await page.clock.install();
  await page.goto('/search');
  await expect(page.getByRole('article')).toHaveCount(24);
  await page.route('**/rest/v1/influencers*', (route) => route.abort());
  await page.getByRole('button', { name: 'Load More' }).click();
  await afterRetry(page, page.locator('[data-sonner-toast]').filter({ hasText: 'Failed to load influencers' }));
  await expect(page.getByRole('article')).toHaveCount(24);
  await page.unroute('**/rest/v1/influencers*');
  await page.getByRole('button', { name: 'Load More' }).click();
  await expect(page.getByRole('article')).toHaveCount(48);
});

import { expect } from '@playwright/test';
import { test } from './test';

test('the table of contents links to the sections', async ({ page }) => {
  await page.goto('/help-center');
  const contents = page.getByRole('navigation', { name: 'On this page' });
  await contents.getByRole('link', { name: 'For agencies' }).click();
  await expect(page).toHaveURL(/#for-agencies$/);
  await expect(page.getByRole('heading', { name: 'For agencies' })).toBeInViewport();
});

test('the key and the example on the API page work', async ({ page, request }) => {
  await page.goto('/api');
  const key = await page.getByRole('region', { name: 'Public key', exact: true }).textContent();
  const example = (await page.getByRole('region', { name: 'Example', exact: true }).textContent()) ?? '';
  const url = new URL(/curl '([^']+)'/.exec(example)?.[1] ?? '');
  const answer = await request.get(url.pathname + url.search, { headers: { apikey: key ?? '' } });
  const rows = await answer.json();
  expect(rows.length).toBeGreaterThan(0);
  for (const row of rows) expect(row.category).toBe('Travel');
});

test('the licenses list fonts and libraries with their terms', async ({ page }) => {
  await page.goto('/licenses');
  await expect(page.getByText(/@fontsource-variable\/figtree 5/)).toBeVisible();
  await page.getByText('MIT license text').click();
  await expect(page.getByText(/^MIT License\s+Permission is hereby granted/)).toBeVisible();
});

test('an unknown path is logged and links to home', async ({ page }) => {
  const logged: string[] = [];
  page.on('console', (message) => logged.push(message.text()));
  await page.goto('/no/such/page');
  await page.getByRole('link', { name: 'Return to Home' }).click();
  await expect(page).toHaveURL(/\/$/);
  await expect.poll(() => logged.join()).toContain('/no/such/page');
});

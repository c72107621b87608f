import { expect } from '@playwright/test';
import { test } from './test';

test('home introduces itself and leads to the search', async ({ page }) => {
  await page.goto('/');
  await expect(
    page.getByRole('heading', { level: 1, name: 'Connect with the right influencers and agencies' }),
  ).toBeVisible();
  await expect(page.getByRole('link', { name: 'Find Influencers' })).toHaveAttribute('href', '/search/influencers');
  const carousel = page.getByRole('region', { name: 'Featured influencers' });
  await expect(carousel.getByRole('article')).toHaveCount(1);
});

test('a profile is shared by copying its link', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.addInitScript(() => Object.defineProperty(navigator, 'share', { value: undefined }));
  await page.goto('/search');
  await page
    .getByRole('button', { name: /^Share / })
    .first()
    .click();
  await expect(page.getByText('Link copied!')).toBeVisible();
  await expect(page.getByText('Profile link has been copied to clipboard.')).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/\/profile\/[0-9a-f-]{36}$/);
});

test('the search filters, counts, keeps filters in the URL, and goes back', async ({ page }) => {
  await page.goto('/search');
  await expect(page.getByText(/^Found \d+ influencers$/)).toBeVisible();
  await page.getByRole('radio', { name: 'Gold' }).check();
  await expect(page).toHaveURL(/badge=Gold/);
  await expect(page.getByRole('button', { name: 'Remove filter: Gold badge' })).toBeVisible();
  const cards = page.getByRole('article');
  await expect(cards.first()).toBeVisible();
  await expect(page.getByRole('img', { name: 'blue badge' }).and(page.locator('article *'))).toHaveCount(0);

  await page.getByLabel('Industry').click();
  await page.getByRole('option', { name: 'Fashion' }).click();
  await expect(page).toHaveURL(/industry=Fashion/);
  await page.goBack();
  await expect(page).not.toHaveURL(/industry=Fashion/);
  await page.getByRole('button', { name: 'Clear all' }).click();
  await expect(page).toHaveURL(/\/search$/);

  await page.getByRole('searchbox', { name: 'Search by name' }).fill('sofea');
  await expect(page.getByText('Found 1 influencer', { exact: true })).toBeVisible();
  await page.getByRole('searchbox', { name: 'Search by name' }).fill('nobody is called % this');
  await expect(page.getByText('No influencers found matching your criteria.')).toBeVisible();
});

test('Load More loads pages until the list is complete', async ({ page }) => {
  await page.goto('/search?language=English');
  const found = page.getByText(/^Found \d+ influencers$/);
  await expect(found).toBeVisible();
  const total = Number((await found.textContent())?.match(/\d+/)?.[0]);
  expect(total).toBeGreaterThan(24);
  await expect(page.getByRole('article')).toHaveCount(24);
  for (let shown = 48; shown < total + 24; shown += 24) {
    await page.getByRole('button', { name: 'Load More' }).click();
    await expect(page.getByRole('article')).toHaveCount(Math.min(shown, total));
  }
  await expect(page.getByRole('button', { name: /^Load/ })).toHaveCount(0);
});

test('the header search goes to the search page on Enter', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('searchbox', { name: 'Search influencers' }).fill('harjit');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/search\?q=harjit$/);
  await expect(page.getByRole('link', { name: 'Harjit Gill' })).toBeVisible();
});

test('a profile that does not exist links back to Explore', async ({ page }) => {
  await page.goto('/profile/00000000-0000-4000-8000-000000000000');
  await expect(page.getByRole('heading', { name: 'Influencer not found' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Back to Explore' })).toHaveAttribute('href', '/');
});

test('visitors cannot find an unapproved profile, in the search or the API', async ({ page, request }) => {
  await page.goto('/search?q=nurul.reads');
  await expect(page.getByText('No influencers found matching your criteria.')).toBeVisible();
  const key = await page.locator('meta[name=anon-key]').getAttribute('content');
  const headers = { apikey: key ?? '', Authorization: `Bearer ${key}` };
  const answer = await request.get('/rest/v1/influencers?username=eq.nurul.reads&select=*', { headers });
  expect(await answer.json()).toEqual([]);
});

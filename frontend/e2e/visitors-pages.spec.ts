import { expect } from '@playwright/test';
import { expectAccessible } from './accessibility';
import { test } from './test';

const PAGES = {
  '/help-center': 'Help Center',
  '/about-us': 'About Us',
  '/privacy-policy': 'Privacy Policy',
  '/licenses': 'Licenses',
  '/api': 'API',
  '/watchlist': 'Watchlist',
  '/my-collections': 'My Collections',
  '/pricing': 'Choose Your Perfect Package',
  '/favorites': 'Favorites',
  '/agency/5e7a0003-0000-4000-8000-000000000001': 'Lumut Studio',
  '/profile/00000000-0000-4000-8000-000000000000': 'Influencer not found',
  '/agency/00000000-0000-4000-8000-000000000000': 'Agency Not Found',
  '/no/such/page': 'Oops! Page not found',
};

for (const colorScheme of ['light', 'dark'] as const) {
  test(`nobody is shut out (${colorScheme})`, async ({ page }) => {
    test.setTimeout(180_000);
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    for (const width of [390, 1440]) {
      await page.setViewportSize({ width, height: 844 });
      const home = { '/': 'Connect with the right influencers and agencies' };
      for (const [path, title] of Object.entries(width === 390 ? { ...PAGES, ...home } : PAGES)) {
        await page.goto(path);
        await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
        await expectAccessible(page);
      }
    }
  });
}

for (const width of [320, 360, 768, 1024]) {
  test(`nothing scrolls sideways at ${width}`, async ({ page }) => {
    await page.setViewportSize({ width, height: 844 });
    for (const [path, title] of Object.entries(PAGES)) {
      await page.goto(path);
      await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      expect(overflow, path).toBeLessThanOrEqual(0);
    }
  });
}

test('the contents lead to their section', async ({ page }) => {
  await page.goto('/help-center');
  const contents = page.getByRole('navigation', { name: 'On this page' });
  await contents.getByRole('link', { name: 'For agencies' }).click();
  await expect(page).toHaveURL(/#for-agencies$/);
  await expect(page.getByRole('heading', { name: 'For agencies' })).toBeInViewport();
});

test('the API page tells a key that works', async ({ page, request }) => {
  await page.goto('/api');
  const key = await page.getByRole('region', { name: 'Public key', exact: true }).textContent();
  const example = (await page.getByRole('region', { name: 'Example', exact: true }).textContent()) ?? '';
  const url = new URL(/curl '([^']+)'/.exec(example)?.[1] ?? '');
  const answer = await request.get(url.pathname + url.search, { headers: { apikey: key ?? '' } });
  const rows = await answer.json();
  expect(rows.length).toBeGreaterThan(0);
  for (const row of rows) expect(row.category).toBe('Travel');
});

test('the licences name fonts and libraries, with their terms', async ({ page }) => {
  await page.goto('/licenses');
  await expect(page.getByText(/@fontsource-variable\/figtree 5/)).toBeVisible();
  await page.getByText('The terms of MIT').click();
  await expect(page.getByText(/^MIT License\s+Permission is hereby granted/)).toBeVisible();
});

test('an unknown path is logged and leads home', async ({ page }) => {
  const logged: string[] = [];
  page.on('console', (message) => logged.push(message.text()));
  await page.goto('/no/such/page');
  await page.getByRole('link', { name: 'Return to Home' }).click();
  await expect(page).toHaveURL(/\/$/);
  await expect.poll(() => logged.join()).toContain('/no/such/page');
});

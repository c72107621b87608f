import { expect } from '@playwright/test';
import { expectAccessible } from './accessibility';
import { expectCategory } from './list-controls';
import { test } from './test';

test('the home page introduces, shows creators, and filters them by category', async ({ page }) => {
  await page.goto('/');
  await expect(
    page.getByRole('heading', { level: 1, name: 'Connect with the right influencers and agencies' }),
  ).toBeVisible();
  await expect(page.getByRole('link', { name: 'Find Influencers' })).toHaveAttribute('href', '/search/influencers');
  const carousel = page.getByRole('region', { name: 'Featured influencers' });
  await expect(carousel.getByRole('article')).toHaveCount(1);
  const first = await carousel.getByRole('heading').textContent();
  await page.getByRole('button', { name: 'Next' }).click();
  await expect(carousel.getByRole('heading')).not.toHaveText(first ?? '');

  await page.getByRole('tab', { name: 'Gaming' }).click();
  const grid = page.getByRole('tabpanel');
  await expect(grid.getByRole('article').first()).toBeVisible();
  await expectCategory(grid, 'Gaming');
  await expect(page.getByRole('link', { name: 'See all influencers' })).toHaveAttribute('href', /category=Gaming/);
});

test('the carousel turns by itself and can be stopped', async ({ page }) => {
  await page.goto('/');
  const name = page.getByRole('region', { name: 'Featured influencers' }).getByRole('heading');
  const first = await name.textContent();
  await expect(name).not.toHaveText(first ?? '', { timeout: 6000 });
  await page.getByRole('button', { name: 'Pause rotation' }).click();
  await page.mouse.move(0, 0);
  await page.getByRole('button', { name: 'Start rotation' }).blur();
  const stopped = await name.textContent();
  await page.waitForTimeout(3500);
  expect(await name.textContent()).toBe(stopped);
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

test('header and footer lead everywhere, and the newsletter thanks', async ({ page }) => {
  await page.goto('/');
  const header = page.getByRole('navigation', { name: 'Main' });
  for (const name of ['INFLUENCERS', 'AGENCIES', 'VENDORS', 'GIGS', 'EVENTS', 'PRICE']) {
    await expect(header.getByRole('link', { name })).toBeVisible();
  }
  await page.getByRole('button', { name: 'Account menu' }).click();
  for (const name of ['Agency Login', 'Vendor Login', 'Influencer Login']) {
    await expect(page.getByRole('menuitem', { name })).toBeVisible();
  }
  await page.keyboard.press('Escape');
  const footer = page.getByRole('contentinfo');
  await footer.getByLabel('E-mail').fill('no address');
  await footer.getByRole('button', { name: 'Subscribe' }).click();
  await expect(footer.getByText('Invalid email address')).toBeVisible();
  for (let time = 0; time < 2; time += 1) {
    await footer.getByLabel('E-mail').fill('reader@example.test');
    await footer.getByRole('button', { name: 'Subscribe' }).click();
    await expect(footer.getByText('Thanks for subscribing!')).toBeVisible();
  }
});

test('the search filters, counts, remembers in the address, and goes back', async ({ page }) => {
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

test('Load More goes on until there is no more', async ({ page }) => {
  await page.goto('/search');
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

test('a visitor keeps a profile in this browser', async ({ page }) => {
  await page.goto('/search?q=sofea');
  await page.getByRole('link', { name: 'Sofea Karim' }).click();
  // On the profile: the card in the list has one of its own.
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Saved' })).toHaveAttribute('aria-pressed', 'true');
  await page.reload();
  await expect(page.getByRole('button', { name: 'Saved' })).toBeVisible();
});

test('what is not there is said plainly', async ({ page }) => {
  await page.goto('/profile/00000000-0000-4000-8000-000000000000');
  await expect(page.getByRole('heading', { name: 'Influencer not found' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Back to Explore' })).toHaveAttribute('href', '/');
  const logged: string[] = [];
  page.on('console', (message) => logged.push(message.text()));
  await page.goto('/no/such/page');
  await expect(page.getByRole('heading', { name: 'Oops! Page not found' })).toBeVisible();
  await expect.poll(() => logged.join()).toContain('/no/such/page');
});

test('an unapproved profile is not there for visitors, by any address', async ({ page, request }) => {
  await page.goto('/search?q=nurul.reads');
  await expect(page.getByText('No influencers found matching your criteria.')).toBeVisible();
  const key = await page.locator('meta[name=anon-key]').getAttribute('content');
  const headers = { apikey: key ?? '', Authorization: `Bearer ${key}` };
  const answer = await request.get('/rest/v1/influencers?username=eq.nurul.reads&select=*', { headers });
  expect(await answer.json()).toEqual([]);
});

test('below the large breakpoint a profile asks for a desktop', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/search?q=sofea');
  await page.getByRole('link', { name: 'Sofea Karim' }).click();
  await expect(page.getByRole('heading', { name: 'Screen Size Too Small' })).toBeVisible();
});

for (const width of [320, 390, 768, 1440]) {
  test(`no page scrolls sideways at ${width}`, async ({ page }) => {
    await page.setViewportSize({ width, height: 844 });
    for (const path of ['/', '/search', '/auth', '/admin/login', '/pricing', '/nowhere']) {
      await page.goto(path);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      expect(overflow, path).toBeLessThanOrEqual(0);
    }
  });
}

for (const colorScheme of ['light', 'dark'] as const) {
  test(`public screens shut nobody out (${colorScheme})`, async ({ page }) => {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    for (const path of ['/', '/search', '/search?q=nobody-at-all', '/auth', '/admin/login', '/nowhere', '/pricing']) {
      await page.goto(path);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await page.waitForLoadState('networkidle');
      await expectAccessible(page);
    }
    await page.goto('/search?q=sofea');
    await page.getByRole('link', { name: 'Sofea Karim' }).click();
    await expect(page.getByRole('heading', { level: 1, name: /^@/ })).toBeVisible();
    await expectAccessible(page);
  });
}

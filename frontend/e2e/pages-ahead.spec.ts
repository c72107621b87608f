// The application prefetches its pages, so that opening one shows no loader.
import { expect, type Page } from '@playwright/test';
import { test } from './test';

const main = (page: Page) => page.locator('#main');
const loader = (page: Page) => main(page).getByText('Loading...', { exact: true });

/** The assets that the page has requested so far. */
function assetsOf(page: Page): string[] {
  const asked: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith('/assets/')) asked.push(pathname);
  });
  return asked;
}

test('after the first page has loaded, the likely next ones are prefetched but not run', async ({ page, request }) => {
  const likely: string[] = await (await request.get('/pages-ahead.json')).json();
  expect(likely.length).toBeGreaterThan(10);
  // On a paused clock the prefetch cannot start before the first check.
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
  const asked = assetsOf(page);
  await page.goto('/');
  const cards = page.getByRole('tabpanel').getByRole('article');
  await expect.poll(() => page.clock.runFor(50).then(() => cards.count())).toBeGreaterThan(0);
  await page.waitForLoadState('networkidle');
  expect(asked.filter((file) => likely.includes(file))).toEqual([]);
  await page.clock.runFor(4000);
  await expect.poll(() => likely.filter((file) => !asked.includes(file))).toEqual([]);
  const scripts = await page.evaluate(() => document.querySelectorAll('script[src*="/assets/"]').length);
  expect(scripts, 'none is run').toBe(0);
});

test('nothing is prefetched in data-saving mode', async ({ page }) => {
  await page.addInitScript(() =>
    Object.defineProperty(navigator, 'connection', { value: { saveData: true, effectiveType: '4g' } }),
  );
  await page.clock.install();
  let asked = 0;
  page.on('request', (request) => {
    if (request.url().endsWith('/pages-ahead.json')) asked += 1;
  });
  await page.goto('/');
  await page.waitForLoadState('networkidle');
  await page.clock.runFor(10_000);
  await page.waitForLoadState('networkidle');
  expect(asked).toBe(0);
});

test('hovering over or focusing a link loads its page, which then opens without a loader', async ({ page }) => {
  await page.addInitScript(() => {
    const seen: string[] = [];
    Object.assign(window, { seen });
    new MutationObserver(() => {
      if (document.querySelector('[data-slot=loader]')) seen.push(document.location.pathname);
    }).observe(document, { childList: true, subtree: true });
  });
  await page.goto('/help-center');
  for (const [name, title, file, reach] of [
    ['PRICE', 'Choose Your Perfect Package', /\/assets\/pricing-.*\.js$/, 'hover'],
    ['VENDORS', 'Search Vendors', /\/assets\/search-vendors-.*\.js$/, 'focus'],
  ] as const) {
    const link = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name });
    const loaded = page.waitForResponse(file);
    await link[reach]();
    // Waits until the module has run; the application's own import may resolve a moment later.
    await page.evaluate((module) => import(module), (await loaded).url());
    await page.evaluate(() => new Promise(requestAnimationFrame));
    if (reach === 'hover') await page.mouse.down().then(() => page.mouse.up());
    else await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
  }
  expect(await page.evaluate(() => (window as unknown as { seen: string[] }).seen)).toEqual([]);
});

test('the footer does not move while a page loads', async ({ page }) => {
  let release = () => {};
  const held = new Promise<void>((done) => {
    release = done;
  });
  await page.route('**/assets/pricing-*.js', async (route) => {
    await held;
    await route.continue();
  });
  await page.goto('/');
  await expect(page.getByRole('tabpanel').getByRole('article').first()).toBeVisible();
  const height = () => main(page).evaluate((element: HTMLElement) => element.offsetHeight);
  const before = await height();
  await page.getByRole('contentinfo').getByRole('link', { name: 'Become a Partner' }).click();
  await expect(loader(page)).toBeInViewport();
  expect(await height()).toBeGreaterThanOrEqual(before);
  release();
  await expect(page.getByRole('heading', { level: 1, name: 'Choose Your Perfect Package' })).toBeVisible();
  await expect(loader(page)).toHaveCount(0);
});

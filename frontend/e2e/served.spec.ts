// How a browser handles the HTML that the server sends: first view, scripts, size.

import { expect, type Page, type Request } from '@playwright/test';
import { expectAccessible } from './accessibility';
import { test } from './test';

test('a page can be read before any script has run, and does not move afterwards', async ({ page, browser }) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const still = await context.newPage();
  await still.goto('/');
  const place = (where: Page) => where.getByRole('heading', { level: 1 }).boundingBox();
  await expect(still.getByRole('heading', { level: 1 })).toBeVisible();
  await page.goto('/');
  await expect(page.locator('.shell')).toHaveCount(0);
  await expect(page.getByRole('banner')).toHaveCount(1);
  expect(await place(page)).toEqual(await place(still));
  await context.close();
});

// A script that only another script imports would take an extra round trip.
test('the HTML names every script that its page needs', async ({ page }) => {
  for (const path of ['/search', '/search/agencies', '/profile/5e7a0002-0000-4000-8000-000000000001', '/pricing']) {
    const asked: string[] = [];
    page.on('request', (request) => {
      if (request.resourceType() === 'script') asked.push(new URL(request.url()).pathname);
    });
    const html = (await (await page.goto(path, { waitUntil: 'networkidle' }))?.text()) ?? '';
    expect(asked.length, path).toBeGreaterThan(2);
    for (const script of asked) expect(html, path).toContain(`"${script}"`);
    expect(html, path).not.toMatch(/assets\/(auth-client|services)-/);
    page.removeAllListeners('request');
  }
});

// The maximum number of kilobytes that a visitor's first page may transfer, compressed with Brotli. The build checks the
// sizes with gzip.
const BUDGET = { script: 110, stylesheet: 20, font: 60 };

test('the first page stays within its size budget', async ({ page }) => {
  const weight = new Map<string, number>();
  const finished: Request[] = [];
  page.on('requestfinished', (request) => finished.push(request));
  await page.goto('/');
  await page.waitForLoadState('networkidle');
  for (const request of finished) {
    const kind = request.resourceType();
    const { responseBodySize } = await request.sizes();
    weight.set(kind, (weight.get(kind) ?? 0) + responseBodySize / 1024);
  }
  const figures = [...weight].map(([kind, size]) => `${kind} ${size.toFixed(1)} KB`).join(', ');
  test.info().annotations.push({ type: 'weight', description: figures });
  for (const [kind, most] of Object.entries(BUDGET)) {
    expect(weight.get(kind), kind).toBeGreaterThan(1);
    expect(weight.get(kind), kind).toBeLessThan(most);
  }
});

test('the app can be installed', async ({ request }) => {
  const manifest = await request.get('/manifest.webmanifest');
  expect(manifest.headers()['content-type']).toContain('application/manifest+json');
  const { icons } = await manifest.json();
  for (const path of ['/icons/apple-touch-icon.png', ...icons.map((icon: { src: string }) => icon.src)]) {
    expect((await request.get(path)).headers()['content-type'], path).toBe('image/png');
  }
  const worker = await request.get('/service-worker.js');
  expect(worker.headers()['content-type']).toContain('javascript');
  expect(worker.headers()['cache-control'], 'a new worker is found at once').toBe('no-cache');
});

test.describe('without a connection', () => {
  test.use({ serviceWorkers: 'allow' });

  test('a separate page says so, and nothing else is cached', async ({ page, context }) => {
    await page.goto('/search');
    await page.evaluate(async () => void (await navigator.serviceWorker.ready));
    await context.setOffline(true);
    await page.goto('/pricing');
    await expect(page.getByRole('heading', { name: "You're offline" })).toBeVisible();
    await expectAccessible(page);
    const kept = await page.evaluate(async () => {
      const caches = await Promise.all((await window.caches.keys()).map((name) => window.caches.open(name)));
      const requests = await Promise.all(caches.map((cache) => cache.keys()));
      return requests.flat().map(({ url }) => new URL(url).pathname);
    });
    expect(kept.sort()).toEqual(['/favicon.svg', '/offline.css', '/offline.html', '/offline.js']);
    // Reconnecting reloads the page.
    await context.setOffline(false);
    await expect(page.getByRole('heading', { level: 1, name: 'Choose Your Perfect Package' })).toBeVisible();
  });
});

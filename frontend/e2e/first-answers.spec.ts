// The rows of a first view come with the HTML: for visitors, once, and as the gateway tells them.
import { expect, type Page } from '@playwright/test';
import { signedIn, startSession } from './accounts';
import { BLOCK, withoutFirstAnswers } from './first-answers';
import { demo } from './people';
import { test } from './test';

interface FirstAnswer {
  url: string;
  headers: Record<string, string>;
  range: string | null;
  body: Record<string, unknown>[];
}

const PAGES = [
  '/',
  '/explore',
  '/search',
  '/search/influencers',
  '/search/agencies',
  '/search/vendors',
  '/profile/5e7a0002-0000-4000-8000-000000000001',
  '/agency/5e7a0003-0000-4000-8000-000000000001',
];

const answersIn = (html: string): FirstAnswer[] => JSON.parse(BLOCK.exec(html)?.[1] ?? '[]');

/** What the page asks the gateway for, without who asks. */
function asked(page: Page) {
  const requests: { url: string; headers: Record<string, string> }[] = [];
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    if (!pathname.startsWith('/rest/v1/')) return;
    const own = ['prefer', 'range', 'range-unit', 'accept-profile'];
    const headers = Object.entries(request.headers()).filter(([name]) => own.includes(name));
    requests.push({ url: pathname + search, headers: Object.fromEntries(headers) });
  });
  return requests;
}

for (const path of PAGES) {
  test(`${path} comes with exactly what it would ask for, and then asks for nothing`, async ({ page, context }) => {
    let sent: FirstAnswer[] = [];
    await expect(async () => {
      sent = answersIn(await (await page.request.get(path)).text());
      expect(sent.length).toBeGreaterThan(0);
    }).toPass();
    for (const { body } of sent) expect(body.length).toBeGreaterThan(0);

    const without = await context.newPage();
    await withoutFirstAnswers(without);
    const wouldAsk = asked(without);
    await without.goto(path);
    await expect.poll(() => wouldAsk.length).toBe(sent.length);
    expect(wouldAsk.toSorted((a, b) => a.url.localeCompare(b.url))).toEqual(
      sent.map(({ url, headers }) => ({ url, headers })).toSorted((a, b) => a.url.localeCompare(b.url)),
    );

    const asks = asked(page);
    let shown: FirstAnswer[] = [];
    // A server that is too busy sends the page without.
    await expect(async () => {
      asks.length = 0;
      const answer = await page.goto(path, { waitUntil: 'networkidle' });
      shown = answersIn((await answer?.text()) ?? '');
      expect(shown).toHaveLength(sent.length);
    }).toPass();
    for (const name of shown.map(({ body }) => String(body[0]?.name))) {
      await expect(page.locator('main').getByText(name).first()).toBeVisible();
    }
    expect(asks).toEqual([]);
  });
}

test('Refresh, another page and a filter ask the gateway', async ({ page }) => {
  await page.goto('/search/influencers');
  await expect(page.getByRole('article')).toHaveCount(24);
  const asks = asked(page);
  await page.getByRole('button', { name: 'Refresh' }).click();
  await expect.poll(() => asks.length).toBe(1);
  await page.getByRole('tab', { name: 'Beauty' }).click();
  await expect.poll(() => asks.length).toBe(2);
  await page.getByRole('article').first().getByRole('link').click();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect.poll(() => asks.length).toBe(3);
});

test('who is signed in asks with the own rights', async ({ page, request }) => {
  await startSession(page, await signedIn(request, demo('influencer')));
  const list = page.waitForRequest((request) => request.url().includes('/rest/v1/influencers?') && isCounted(request));
  await page.goto('/search');
  expect((await list).headers().authorization).not.toContain(await anonKey(page));
  await expect(page.getByRole('article')).toHaveCount(24);
});

const isCounted = (request: { headers(): Record<string, string> }) => request.headers().prefer === 'count=exact';
const anonKey = async (page: Page) => (await page.locator('meta[name=anon-key]').getAttribute('content')) ?? '';

/** What is named at a width; a list's newest row, which another test may have made, is named if it has a picture. */
const NAMED: [width: number, path: string, columns: string[]][] = [
  [390, '/', []],
  [390, '/search', ['profile_image']],
  [390, '/search/influencers', ['profile_image']],
  [390, '/explore', ['profile_image']],
  [390, '/search/agencies', ['banner_url']],
  [390, '/search/vendors', []],
  [390, '/profile/5e7a0002-0000-4000-8000-000000000001', []],
  [1440, '/profile/5e7a0002-0000-4000-8000-000000000001', ['cover_image', 'profile_image']],
  [390, '/agency/5e7a0003-0000-4000-8000-000000000001', ['banner_url']],
];

for (const [width, path, columns] of NAMED) {
  test(`at ${width} ${path} names the pictures of its first screen beforehand`, async ({ page }) => {
    await page.setViewportSize({ width, height: 844 });
    let html = '';
    // Without the rows when the gateway is slow to answer.
    await expect(async () => {
      html = (await (await page.goto(path, { waitUntil: 'networkidle' }))?.text()) ?? '';
      expect(BLOCK.test(html)).toBe(true);
    }).toPass();
    const row = answersIn(html)[0]?.body[0] ?? {};
    const named = await page
      .locator('link[rel=preload][imagesrcset]')
      .evaluateAll((links) =>
        (links as HTMLLinkElement[])
          .filter((link) => matchMedia(link.media || 'all').matches)
          .map((link) => ({ src: link.getAttribute('href'), srcset: link.imageSrcset, sizes: link.imageSizes })),
      );
    const has = columns.map((column) => row[column]).filter(Boolean);
    expect(named.map((link) => link.src)).toEqual(has.map((url) => String(url).replace(/^https?:\/\/[^/]+/, '')));
    if (path.includes('5e7a')) expect(has).toHaveLength(columns.length);
    for (const { src, srcset, sizes } of named) {
      const picture = page.locator('main').locator(`img[src="${src}"]`).first();
      await expect(picture).toBeInViewport();
      // Else the browser would ask for two of them.
      await expect(picture).toHaveAttribute('srcset', srcset);
      await expect(picture).toHaveAttribute('sizes', sizes);
    }
  });
}

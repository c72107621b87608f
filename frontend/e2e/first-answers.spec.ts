// The HTML carries the rows of a visitor's first view, exactly as the gateway would return them.
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

/** The width at which a page is loaded, and the columns whose pictures its first screen shows there. */
const PAGES: [path: string, width: number, columns: string[]][] = [
  ['/', 390, []],
  ['/explore', 390, ['profile_image']],
  ['/search', 390, ['profile_image']],
  ['/search/influencers', 390, ['profile_image']],
  ['/search/agencies', 390, ['banner_url']],
  ['/search/vendors', 390, []],
  ['/profile/5e7a0002-0000-4000-8000-000000000001', 1440, ['cover_image', 'profile_image']],
  ['/agency/5e7a0003-0000-4000-8000-000000000001', 390, ['banner_url']],
];

const answersIn = (html: string): FirstAnswer[] => JSON.parse(BLOCK.exec(html)?.[1] ?? '[]');

/** The requests of the page to the gateway, without credentials. */
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

for (const [path, width, columns] of PAGES) {
  test(`${path} embeds exactly the rows that it would request, and preloads its pictures`, async ({
    page,
    context,
  }) => {
    await page.setViewportSize({ width, height: 844 });
    const asks = asked(page);
    let shown: FirstAnswer[] = [];
    // A server that is too busy sends the page without the rows.
    await expect(async () => {
      asks.length = 0;
      shown = answersIn((await (await page.goto(path))?.text()) ?? '');
      expect(shown.length).toBeGreaterThan(0);
    }).toPass();
    for (const { body } of shown) {
      expect(body.length).toBeGreaterThan(0);
      await expect(page.locator('main').getByText(String(body[0]?.name)).first()).toBeVisible();
    }
    await expectNamedPictures(page, shown, columns);
    await page.evaluate(() => new Promise((done) => requestIdleCallback(done)));
    expect(asks).toEqual([]);

    const without = await context.newPage();
    await without.setViewportSize({ width, height: 844 });
    await withoutFirstAnswers(without);
    const wouldAsk = asked(without);
    await without.goto(path);
    await expect.poll(() => wouldAsk.length).toBe(shown.length);
    expect(wouldAsk.toSorted((a, b) => a.url.localeCompare(b.url))).toEqual(
      shown.map(({ url, headers }) => ({ url, headers })).toSorted((a, b) => a.url.localeCompare(b.url)),
    );
  });
}

test('on a phone the profile preloads no picture: the cover is not shown, and the card is below the notice', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/profile/5e7a0002-0000-4000-8000-000000000001');
  await expect(page.getByRole('heading', { name: 'Screen Size Too Small' })).toBeVisible();
  await expectNamedPictures(page, [], []);
});

/** The preloads in the HTML are the pictures in view; the newest row, which another test may have made, may lack them. */
async function expectNamedPictures(page: Page, answers: FirstAnswer[], columns: string[]) {
  const row = answers[0]?.body[0] ?? {};
  const named = await page
    .locator('link[rel=preload][imagesrcset]')
    .evaluateAll((links) =>
      (links as HTMLLinkElement[])
        .filter((link) => matchMedia(link.media || 'all').matches)
        .map((link) => ({ src: link.getAttribute('href'), srcset: link.imageSrcset, sizes: link.imageSizes })),
    );
  const has = columns.map((column) => row[column]).filter(Boolean);
  expect(named.map((link) => link.src)).toEqual(has.map((url) => String(url).replace(/^https?:\/\/[^/]+/, '')));
  if (page.url().includes('5e7a')) expect(has).toHaveLength(columns.length);
  for (const { src, srcset, sizes } of named) {
    const picture = page.locator('main').locator(`img[src="${src}"]`).first();
    await expect(picture).toBeInViewport();
    // With other values the browser would load two pictures.
    await expect(picture).toHaveAttribute('srcset', srcset);
    await expect(picture).toHaveAttribute('sizes', sizes);
  }
}

test('Refresh, another page and a filter send requests', async ({ page }) => {
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

test('a signed-in account requests the rows with its own token', async ({ page, request }) => {
  await startSession(page, await signedIn(request, demo('influencer')));
  const list = page.waitForRequest((request) => request.url().includes('/rest/v1/influencers?') && isCounted(request));
  await page.goto('/search');
  expect((await list).headers().authorization).not.toContain(await anonKey(page));
  await expect(page.getByRole('article')).toHaveCount(24);
});

const isCounted = (request: { headers(): Record<string, string> }) => request.headers().prefer === 'count=exact';
const anonKey = async (page: Page) => (await page.locator('meta[name=anon-key]').getAttribute('content')) ?? '';

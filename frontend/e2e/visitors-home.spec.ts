import { expect, type Locator, type Page } from '@playwright/test';
import { expectNoSidewaysScroll } from './accessibility';
import { withRows } from './accounts';
import { withoutFirstAnswers } from './first-answers';
import { expectCategory } from './list-controls';
import { test } from './test';

const eventsTitle = (page: Page) => page.getByRole('heading', { name: 'Events', exact: true });

const carousel = (page: Page) => page.getByRole('region', { name: 'Featured influencers' });

test.describe('on a touch screen', () => {
  test.use({ hasTouch: true, viewport: { width: 1180, height: 820 } });

  test('a card shows content pictures on hover and on a swipe, and stays a link in a page that scrolls', async ({
    page,
    context,
  }) => {
    const asked: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('select=content_posts')) asked.push(request.url());
    });
    await page.goto('/search?q=aisyah.jalan');
    const card = page.getByRole('article').filter({ hasText: 'Aisyah Rahmat' });
    const size = () => card.evaluate(({ clientWidth, clientHeight }) => [clientWidth, clientHeight]);
    await expect(card).toBeVisible();
    const before = await size();
    expect(asked).toEqual([]);

    const work = card.locator('[data-slot=card-work]');
    await card.hover();
    await expect(work).toHaveAttribute('data-current', '2');
    const second = work.locator('img').nth(1);
    await expect(second).toHaveCSS('opacity', '1');
    await expect.poll(() => second.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
    expect(await size()).toEqual(before);
    const { x, y, width, height } = (await card.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    const middle = { x: x + width / 2, y: y + height / 2 };
    const link = ([left, top]: number[]) => document.elementFromPoint(left ?? 0, top ?? 0)?.closest('a')?.pathname;
    expect(await page.evaluate(link, [middle.x, middle.y])).toMatch(/^\/profile\//);
    await page.mouse.move(0, 0);
    await expect(work).toHaveAttribute('data-current', '0');

    const device = await context.newCDPSession(page);
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', right = 0, down = 0) =>
      device.send('Input.dispatchTouchEvent', {
        type,
        touchPoints: type === 'touchEnd' ? [] : [{ x: middle.x + right, y: middle.y + down }],
      });
    const swipe = async (right: number, down: number) => {
      await touch('touchStart');
      for (const part of [0.25, 0.5, 0.75, 1]) await touch('touchMove', right * part, down * part);
      await touch('touchEnd');
    };
    await swipe(-120, 4);
    await expect(work).toHaveAttribute('data-current', '1');
    await swipe(4, -120);
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(50);
    await expect(work).toHaveAttribute('data-current', '1');
    await expect(page).toHaveURL(/search\?q=aisyah/);
    expect(asked).toHaveLength(1);
  });
});

test('the category carries over to the search', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('tab', { name: 'Beauty' }).click();
  await expect(page.getByRole('tabpanel').getByRole('article').first()).toContainText('Beauty');
  await page.getByRole('link', { name: 'See all influencers' }).click();
  await expect(page).toHaveURL(/\/search\/influencers\?category=Beauty$/);
});

test('the category is part of the URL, and Back undoes it', async ({ page }) => {
  await page.goto('/?from=mail');
  const grid = page.getByRole('tabpanel');
  const chosen = page.getByRole('tablist', { name: 'Category' }).getByRole('tab', { selected: true });
  for (const name of ['Beauty', 'Gaming']) {
    await page.getByRole('tab', { name }).click();
    await expect(page).toHaveURL(new RegExp(`/\\?from=mail&category=${name}$`));
    await expectCategory(grid, name);
  }
  await page.goBack();
  await expect(page).toHaveURL(/category=Beauty$/);
  await expect(chosen).toHaveText('Beauty');
  await expectCategory(grid, 'Beauty');
  await page.getByRole('tab', { name: 'All' }).click();
  await expect(page).toHaveURL(/\/\?from=mail$/);
  await page.goBack();
  await expect(chosen).toHaveText('Beauty');
  await page.goBack();
  await expect(page).toHaveURL(/\/\?from=mail$/);
  await expect(chosen).toHaveText('All');
});

test('a URL with a category applies it, and an unknown category shows all', async ({ page }) => {
  const chosen = page.getByRole('tablist', { name: 'Category' }).getByRole('tab', { selected: true });
  await page.goto('/?category=Beauty');
  await expect(chosen).toHaveText('Beauty');
  await expectCategory(page.getByRole('tabpanel'), 'Beauty');
  await expect(page.getByRole('link', { name: 'See all influencers' })).toHaveAttribute('href', /category=Beauty$/);
  await page.goto('/?category=Nonsense');
  await expect(chosen).toHaveText('All');
  await expect(page.getByRole('tabpanel').getByRole('article')).toHaveCount(8);
  await expect(page.getByRole('link', { name: 'See all influencers' })).toHaveAttribute('href', /influencers$/);
});

for (const path of ['/', '/#events']) {
  test(`from ${path} choosing a category and Back keep the scroll position`, async ({ page }) => {
    await page.goto(path);
    const place = () => page.evaluate(() => Math.round(window.scrollY));
    const articles = page.getByRole('tabpanel').getByRole('article');
    await expect(articles).toHaveCount(8);
    if (path === '/#events') await expect(eventsTitle(page)).toBeInViewport();
    const tab = page.getByRole('tab', { name: 'Beauty' });
    await tab.evaluate((element) => element.scrollIntoView({ behavior: 'instant', block: 'center' }));
    const before = await place();
    expect(before).toBeGreaterThan(200);
    await tab.click();
    await expect(page).toHaveURL(/\/\?category=Beauty$/);
    await expectCategory(page.getByRole('tabpanel'), 'Beauty');
    expect(await place()).toBe(before);
    await expect(tab).toBeFocused();
    await page.goBack();
    await expect(page.getByRole('tab', { name: 'All' })).toHaveAttribute('aria-selected', 'true');
    await expect(articles).toHaveCount(8);
    expect(await place()).toBe(before);
  });
}

test('home and Explore list the same events first', async ({ page }) => {
  await page.clock.setFixedTime('2027-02-20T12:00:00Z');
  await page.goto('/');
  const row = page.locator('#events').getByRole('article');
  await expect(row).toHaveCount(3);
  await expect(row.first()).toContainText('21FEB');
  const titles = await row.getByRole('heading').allTextContents();
  await page.goto('/explore?tab=events');
  await expect(page.getByRole('article')).toHaveCount(6);
  expect((await page.getByRole('article').getByRole('heading').allTextContents()).slice(0, 3)).toEqual(titles);
});

const counts = (text: string) =>
  Object.fromEntries(['instagram', 'tiktok', 'youtube', 'twitter'].map((name) => [`${name}_followers`, text]));

test('profiles without counts show 0 followers', async ({ page }) => {
  for (const list of ['influencers', 'rpc/featured_influencers'])
    await withRows(page, list, (row) => ({ ...row, ...counts('') }));
  await page.goto('/');
  await expect(carousel(page).getByRole('definition')).toHaveText(['0', '0']);
  await expect(page.getByRole('tabpanel').getByRole('article').first().getByText('0 followers')).toBeVisible();
});

/** The parts that are smaller than a touch target, or overlap the part before them. */
const cramped = (parts: Locator, least = 24) =>
  parts.evaluateAll(
    (elements, smallest) =>
      elements.flatMap((element, index) => {
        const box = element.getBoundingClientRect();
        const before = elements[index - 1]?.getBoundingClientRect();
        const overlaps =
          before &&
          before.right > box.left &&
          before.left < box.right &&
          before.bottom > box.top &&
          before.top < box.bottom;
        return overlaps || box.width < smallest || box.height < smallest ? [element.textContent] : [];
      }),
    least,
  );

test('four counts stay inside their card at every width', async ({ page }) => {
  const longest = 'about 1.5 million, and growing';
  await withRows(page, 'influencers', (row) => ({ ...row, ...counts(longest), tiktok_followers: '128K' }));
  await page.goto('/');
  const card = page.getByRole('tabpanel').getByRole('article').first();
  await expect(card.getByTitle(/^(Instagram|TikTok|YouTube|Twitter)$/)).toHaveCount(4);
  const widths = [320, 360, 390, 640, 1024, 1280, 1440];
  for (const width of widths) {
    await page.setViewportSize({ width, height: 844 });
    await expect.poll(() => cramped(page.getByRole('tab')), `categories at ${width}`).toEqual([]);
    await expect.poll(() => cramped(card.locator('[title], button'), 0), `card at ${width}`).toEqual([]);
    const outside = () =>
      card.evaluate((element) => {
        const { left, right, bottom } = element.getBoundingClientRect();
        return [...element.querySelectorAll('[title], button')]
          .map((part) => part.getBoundingClientRect())
          .filter((part) => part.width === 0 || part.left < left || part.right > right || part.bottom > bottom).length;
      });
    await expect.poll(outside, `${width}`).toBe(0);
  }
  await expectNoSidewaysScroll(page, widths);
});

test('the portraits of the hero keep their proportions at every width', async ({ page }) => {
  await page.goto('/');
  const portraits = page.locator('section', { has: page.getByRole('heading', { level: 1 }) }).locator('img');
  await expect(portraits).toHaveCount(4);
  /** Ratio of width to height in the layout, divided by the picture's own: 1.25 for a square. */
  const ratios = () =>
    portraits.evaluateAll((pictures) =>
      pictures.map((picture) => {
        if (!(picture instanceof HTMLImageElement) || getComputedStyle(picture).objectFit !== 'cover') return 0;
        return (picture.clientWidth / picture.clientHeight / picture.naturalWidth) * picture.naturalHeight;
      }),
    );
  for (const width of [320, 390, 768, 1023, 1024, 1100, 1279, 1280, 1366, 1440, 1920]) {
    await page.setViewportSize({ width, height: 900 });
    for (const ratio of await ratios()) expect(ratio, `${width}`).toBeCloseTo(1.25, 1);
  }
});

test('a failure to load influencers shows one toast', async ({ page }) => {
  await withoutFirstAnswers(page);
  const lists = /\/rest\/v1\/(influencers\?|rpc\/featured_influencers)/;
  await page.route(lists, (route) => route.abort());
  await page.goto('/');
  await expect(page.getByText('Failed to load influencers').first()).toBeVisible();
  await expect(page.locator('[data-sonner-toast]')).toHaveCount(1);
  await page.unroute(lists);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('tabpanel').getByRole('article').first()).toBeVisible();
});

test('without a connection the page stays and shows a notice', async ({ page, context }) => {
  await page.goto('/pricing');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await context.setOffline(true);
  await expect(page.getByText("You're offline.")).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await context.setOffline(false);
  await expect(page.getByText("You're offline.")).toBeHidden();
});

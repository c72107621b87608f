import { expect, type Page } from '@playwright/test';
import { found } from './list-controls';
import { test } from './test';

test('Load More puts the focus on the first new card and says how many are shown', async ({ page }) => {
  for (const path of ['/search/influencers', '/search/vendors']) {
    await page.goto(path);
    await expect(page.getByRole('article')).toHaveCount(24);
    await page.getByRole('button', { name: 'Load More' }).focus();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('article')).toHaveCount(48);
    await expect(page.getByText(/^48 of \d+ (influencers|vendors) shown$/)).toBeAttached();
    const card = page.getByRole('article').nth(24);
    await expect.poll(() => card.evaluate((card) => card.contains(document.activeElement)), path).toBe(true);
    await expect(card).toBeInViewport({ ratio: 0.9 });
  }
});

/** Counts the transitions that the page starts, and those in which a picture moves from one page to the next. */
async function watchTransitions(page: Page) {
  await page.addInitScript(() => {
    const seen = { started: 0, portraits: 0 };
    Object.assign(window, { seen });
    const { startViewTransition } = document;
    // On a busy machine, the profile may take longer than the transition waits.
    const { setTimeout } = window;
    window.setTimeout = ((run: TimerHandler, pause?: number) =>
      setTimeout(run, pause === 300 ? 3000 : pause)) as typeof setTimeout;
    document.startViewTransition = function (this: Document, ...given) {
      const transition = startViewTransition.apply(this, given);
      seen.started += 1;
      void transition.ready.then(() => {
        const moving = document.getAnimations().map(({ effect }) => (effect as KeyframeEffect).pseudoElement);
        if (moving.includes('::view-transition-group(portrait)')) seen.portraits += 1;
      });
      return transition;
    };
  });
  return () => page.evaluate(() => (window as unknown as { seen: object }).seen);
}

for (const [reducedMotion, transitions] of [
  ['reduce', 0],
  ['no-preference', 1],
] as const)
  test(`Back from a profile restores the loaded pages and the scroll position, motion: ${reducedMotion}`, async ({
    page,
  }) => {
    await page.emulateMedia({ reducedMotion });
    const seen = await watchTransitions(page);
    const transition = page.waitForResponse(/\/assets\/card-transition-.*\.js$/);
    await page.goto('/search?language=English');
    await expect(page.getByRole('article')).toHaveCount(24);
    await page.getByRole('button', { name: 'Load More' }).click();
    await expect(page.getByRole('article')).toHaveCount(48);
    const card = page.getByRole('article').nth(40).getByRole('link');
    const watch = await page.evaluateHandle(() => ({
      left: new Promise<number>((resolve) => {
        addEventListener('click', () => resolve(window.scrollY), { capture: true });
      }),
    }));
    await card.hover();
    await page.evaluate((module) => import(module), (await transition).url());
    await card.click();
    const place = await watch.evaluate((watched) => watched.left);
    expect(place).toBeGreaterThan(1000);
    await expect(page).toHaveURL(/\/profile\//);
    await expect(page.getByRole('heading', { level: 1, name: /^@/ })).toBeVisible();
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0);
    await expect.poll(seen).toEqual({ started: transitions, portraits: transitions });

    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.goBack();
    await expect(page.getByRole('article')).toHaveCount(48);
    await expect.poll(() => page.evaluate(() => Math.round(window.scrollY))).toBe(Math.round(place));
    // Nothing scrolls once the position is restored.
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    expect(Math.round(await page.evaluate(() => window.scrollY))).toBe(Math.round(place));
    // The card under the mouse may load its content pictures.
    expect(asked.filter((url) => url.includes('/rest/v1/influencers?') && !url.includes('content_posts'))).toEqual([]);
    await page.goForward();
    await expect(page).toHaveURL(/\/profile\//);
  });

test('all filters of a shared link are shown, and can be removed one by one by keyboard', async ({ page }) => {
  await page.goto('/search?category=Food&language=English&badge=Gold');
  const chips = page.getByRole('button', { name: /^Remove filter/ });
  await expect(chips).toHaveText([/Food/, /English/, /Gold badge/]);
  await chips.first().focus();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\?language=English&badge=Gold$/);
  await expect(page.getByRole('button', { name: 'Remove filter: English' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Remove filter: Gold badge' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/search$/);
  await expect(page.getByRole('region', { name: 'Influencers' })).toBeFocused();
});

test('Back undoes a search, not its last letter', async ({ page }) => {
  await page.goto('/search');
  await page.getByRole('searchbox', { name: 'Search by name' }).pressSequentially('sofea');
  await expect(page.getByText('Found 1 influencer', { exact: true })).toBeVisible();
  await page.goBack();
  await expect(page).toHaveURL(/\/search$/);
  await expect(page.getByRole('searchbox', { name: 'Search by name' })).toHaveValue('');
});

test('typing sends one request, and a late response never replaces a newer one', async ({ page }) => {
  await page.clock.install();
  await page.goto('/search');
  await expect(found(page, 'influencers')).toBeVisible();
  const asked: string[] = [];
  let release = () => {};
  const held = new Promise<void>((done) => {
    release = done;
  });
  const first = page.waitForRequest((request) => request.url().includes('%25sof%25'));
  await page.route('**/rest/v1/influencers*', async (route) => {
    const like = new URL(route.request().url()).searchParams.get('or') ?? '';
    asked.push(like);
    // The first search's response arrives after the second's.
    if (like.includes('%sof%')) await held;
    await route.continue().catch(() => {});
  });
  const box = page.getByRole('searchbox', { name: 'Search by name' });
  // Uses the page's clock, because a busy machine would type more slowly.
  await page.clock.pauseAt(Date.now() + 60_000);
  for (const letter of 'sof') {
    await box.press(letter);
    await page.clock.runFor(40);
  }
  await page.clock.resume();
  await expect.poll(() => asked.length).toBe(1);
  await box.fill('harjit');
  await expect(page.getByRole('link', { name: 'Harjit Gill' })).toBeVisible();
  release();
  // Null when the page has canceled the request.
  await (await first).response();
  await page.evaluate(() => new Promise(requestAnimationFrame));
  await expect(page.getByRole('link', { name: 'Harjit Gill' })).toBeVisible();
  await expect(page.getByText('Found 1 influencer', { exact: true })).toBeVisible();
  expect(asked).toHaveLength(2);
});

// Pages that an admin has closed to an account, while its roles are still loading.
import { expect, type Page } from '@playwright/test';
import { changeAsAdmin, newInfluencer, startSession } from './accounts';
import { test } from './test';

/** Delays the response with the roles until the returned function is called. */
async function holdRoles(page: Page) {
  let release = () => {};
  const held = new Promise<void>((done) => {
    release = done;
  });
  await page.route('**/rest/v1/user_roles?*', async (route) => {
    await held;
    await route.continue();
  });
  return () => release();
}

const eventsOf = (page: Page) => page.getByRole('region', { name: 'Events' });

test.describe('closed to the account', () => {
  test.beforeEach(async ({ page, request }) => {
    const me = await newInfluencer(request);
    const closed = { access_influencer_page: false, access_agencies_page: false, access_events_page: false };
    await changeAsAdmin(request, me.userId, closed);
    await startSession(page, me);
  });

  for (const [path, tab, name] of [
    ['/explore', 'influencers', 'Influencers'],
    ['/explore?tab=agencies', 'agencies', 'Agencies'],
    ['/explore?tab=events', 'events', 'Events'],
  ] as const) {
    test(`${path} shows a loader until the roles arrive`, async ({ page }) => {
      await page.addInitScript(() => {
        const seen: string[] = [];
        Object.assign(window, { seen });
        new MutationObserver(() => {
          // The prerendered page for visitors is also in the document, but hidden.
          for (const part of document.querySelectorAll('article, [data-slot=count]')) {
            if (!part.closest('.shell')) seen.push(part.textContent);
          }
        }).observe(document, { childList: true, subtree: true });
      });
      const asked: string[] = [];
      page.on('request', (request) => asked.push(new URL(request.url()).pathname));
      const release = await holdRoles(page);
      await page.goto(path);
      await expect(page.locator('main [data-slot=loader]')).toHaveText(`Loading ${tab}...`);
      await expect(page.getByRole('tab', { name, exact: true })).toBeVisible();
      release();
      await expect(page.getByText(`An admin has turned off the ${name} page for you.`)).toBeVisible();
      await expect(page.locator('main [data-slot=loader]')).toHaveCount(0);
      expect(await page.evaluate(() => (window as unknown as { seen: string[] }).seen)).toEqual([]);
      expect(asked).not.toContain('/rest/v1/agencies');
    });
  }

  test('home shows no events before or after the roles arrive', async ({ page }) => {
    const release = await holdRoles(page);
    await page.goto('/');
    await expect(eventsOf(page).getByRole('heading', { name: 'Events' })).toBeVisible();
    await expect(eventsOf(page).getByRole('article')).toHaveCount(0);
    release();
    await expect(page.getByText('An admin has turned off the Events page for you.')).toBeVisible();
    await expect(eventsOf(page).getByRole('article')).toHaveCount(0);
  });
});

for (const width of [390, 1440]) {
  test(`at ${width} home reserves the height of the events while the roles load`, async ({ page, request }) => {
    await page.setViewportSize({ width, height: 844 });
    await startSession(page, await newInfluencer(request));
    const release = await holdRoles(page);
    await page.goto('/');
    const height = () => eventsOf(page).evaluate((row: HTMLElement) => row.offsetHeight);
    await expect(eventsOf(page).getByRole('heading', { name: 'Events' })).toBeVisible();
    await expect(eventsOf(page).getByRole('article')).toHaveCount(0);
    const kept = await height();
    release();
    await expect(eventsOf(page).getByRole('article')).toHaveCount(3);
    expect(await height()).toBe(kept);
  });
}

test("a visitor's HTML has the events, and no page waits for roles", async ({ page, browser }) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const still = await context.newPage();
  await still.goto('/');
  await expect(still.locator('#events article')).toHaveCount(3);
  for (const tile of await still.locator('#events article').all()) await expect(tile).toBeVisible();
  await context.close();
  await holdRoles(page);
  await page.goto('/');
  await expect(eventsOf(page).getByRole('article')).toHaveCount(3);
  await page.goto('/explore');
  await expect(page.getByRole('tab', { name: /^Influencers \d+$/ })).toBeVisible();
  await page.goto('/explore?tab=events');
  await expect(page.getByRole('tab', { name: 'Events 6' })).toBeVisible();
});

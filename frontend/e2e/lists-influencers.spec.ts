import { expect, type Locator } from '@playwright/test';
import { choose, expectCategory, found, panelOf } from './list-controls';
import { test } from './test';

test.describe('/search/influencers', () => {
  test('has its title, Refresh, the category strip and no text box of its own', async ({ page }) => {
    await page.goto('/search/influencers?category=Beauty');
    await expect(page.getByRole('heading', { level: 1, name: 'Search Influencers' })).toBeVisible();
    await expect(page.getByRole('tab', { name: 'Beauty' })).toHaveAttribute('aria-selected', 'true');
    await expect(page.getByRole('tab')).toHaveText([
      'All',
      'Fashion',
      'Tech',
      'Gaming',
      'Lifestyle',
      'Beauty',
      'Travel',
    ]);
    await expect(page.getByRole('article').first()).toBeVisible();
    await expectCategory(page, 'Beauty');

    const asked = page.waitForRequest((request) => request.url().includes('/rest/v1/influencers'));
    await page.getByRole('button', { name: 'Refresh' }).click();
    await asked;

    await page.getByRole('tab', { name: 'All' }).click();
    await expect(page).toHaveURL(/\/search\/influencers$/);
    await page.goBack();
    await expect(page.getByRole('tab', { name: 'Beauty' })).toHaveAttribute('aria-selected', 'true');
  });

  test('is searched from the header, and shows the text as a filter', async ({ page }) => {
    await page.goto('/search/influencers');
    await page.getByRole('searchbox', { name: 'Search influencers' }).fill('sofea');
    await expect(page.getByText('Found 1 influencer', { exact: true })).toBeVisible();
    await expect(page).toHaveURL(/\?q=sofea$/);
    await page.getByRole('button', { name: 'Remove filter: “sofea”' }).click();
    await expect(found(page, 'influencers')).toBeVisible();
    await page.getByRole('searchbox', { name: 'Search influencers' }).fill('nobody is called this');
    await expect(page.getByText('No influencers found matching your criteria.')).toBeVisible();
    await page.getByRole('button', { name: 'Clear all filters' }).click();
    await expect(page).toHaveURL(/\/search\/influencers$/);
  });

  test('the panel applies each choice at once, and is cleared', async ({ page }) => {
    await page.goto('/search/influencers');
    await panelOf(page, 'Advanced filters').focus();
    await choose(page, 'TikTok followers', '100K-500K');
    await expect(page).toHaveURL(/tiktok=100000-500000/);
    await expect(page.getByRole('button', { name: 'Remove filter: 100K-500K on TikTok' })).toBeAttached();
    await page.getByRole('slider', { name: 'Age, least' }).press('ArrowRight');
    await expect(page).toHaveURL(/age=19-60/);
    await page.getByRole('button', { name: 'Clear', exact: true }).click();
    await expect(page).toHaveURL(/\/search\/influencers$/);
  });
});

test.describe('the panel under the pointer', () => {
  test('opens on hover, focus and click, closes 300 ms after the pointer left, stays for the focus', async ({
    page,
  }) => {
    await page.clock.install();
    await page.goto('/search/influencers');
    const title = panelOf(page, 'Advanced filters');
    const place = page.getByLabel('Location');
    await expect(title).toHaveAttribute('aria-expanded', 'false');
    await expect(place).toBeHidden();

    await title.hover();
    await expect(title).toHaveAttribute('aria-expanded', 'true');
    await title.click();
    await expect(place).toBeVisible();
    // The page's own clock does not depend on the machine's speed.
    await page.clock.pauseAt(Date.now() + 60_000);
    await page.mouse.move(5, 5);
    await page.clock.runFor(299);
    await expect(place).toBeVisible();
    await page.clock.runFor(1);
    await expect(place).toBeHidden();

    await title.hover();
    await place.click();
    await page.mouse.move(5, 5);
    await page.keyboard.type('kuching');
    await page.clock.runFor(1_000);
    await expect(place).toHaveValue('kuching');
    await expect(place).toBeVisible();
    await page.clock.resume();
    await place.press('Escape');
    await expect(place).toBeHidden();

    await page.getByRole('tab', { name: 'All' }).focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await expect(title).toBeFocused();
    await expect(place).toBeVisible();
    await page.keyboard.press('Enter');
    await expect(place).toBeHidden();
    await page.keyboard.press('Enter');
    await expect(place).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(place).toBeHidden();
    await expect(title).toBeFocused();
  });

  test.describe('touched', () => {
    test.use({ hasTouch: true, viewport: { width: 390, height: 844 } });
    test('opens and closes by a tap', async ({ page }) => {
      await page.goto('/search/influencers');
      await panelOf(page, 'Advanced filters').tap();
      await expect(page.getByLabel('Location')).toBeVisible();
      await panelOf(page, 'Advanced filters').tap();
      await expect(page.getByLabel('Location')).toBeHidden();
    });
  });
});

test('/search: the filters stay in view and scroll on their own; the slider ends where its track ends', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1440, height: 600 });
  await page.goto('/search');
  const filters = page.getByRole('complementary', { name: 'Filters' });
  const edges = async (part: Locator) => {
    const box = await part.boundingBox();
    return { left: box?.x ?? Number.NaN, right: (box?.x ?? Number.NaN) + (box?.width ?? Number.NaN) };
  };
  for (const name of ['Age', 'Followers']) {
    const [least, most] = [`${name}, least`, `${name}, most`].map((thumb) =>
      filters.getByRole('slider', { name: thumb }),
    );
    if (!least || !most) throw new Error(name);
    const track = await edges(least.locator('xpath=../..'));
    expect((await edges(least)).left, name).toBeCloseTo(track.left, 0);
    expect((await edges(most)).right, name).toBeCloseTo(track.right, 0);
  }
  await page.evaluate(() => window.scrollTo(0, 900));
  await expect(filters.getByRole('heading', { name: 'Filters' })).toBeInViewport();
  const badge = filters.getByText('Platinum');
  await expect(badge).not.toBeInViewport();
  await badge.scrollIntoViewIfNeeded();
  await expect(badge).toBeInViewport();
  expect(await page.evaluate(() => window.scrollY), 'the page stays where it is').toBe(900);
});

test('a misspelled name finds nothing, and offers the close match', async ({ page }) => {
  await page.goto('/search?q=aisyha');
  await expect(page.getByText('Found 0 influencers')).toBeVisible();
  const close = page.getByRole('region', { name: 'Close matches' });
  await expect(close.getByRole('link', { name: 'Aisyah Rahmat' })).toBeVisible();
});

import { expect, type Page, test } from '@playwright/test';
import { expectAccessible } from './accessibility';

const found = (page: Page, many: string) => page.getByText(new RegExp(`^Found \\d+ ${many}$`));
const optionsOf = async (page: Page, label: string) => {
  await page.getByLabel(label, { exact: true }).click();
  const options = await page.getByRole('option').allTextContents();
  await page.keyboard.press('Escape');
  return options;
};
const choose = async (page: Page, label: string, option: string) => {
  await page.getByLabel(label, { exact: true }).click();
  await page.getByRole('option', { name: option, exact: true }).click();
};
const panelOf = (page: Page, name: string) => page.getByRole('button', { name: new RegExp(`^${name}`) });

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
    for (const chip of await page.locator('article .im .chip').allTextContents()) expect(chip).toBe('Beauty');

    const asked = page.waitForRequest((request) => request.url().includes('/rest/v1/influencers'));
    await page.getByRole('button', { name: 'Refresh' }).click();
    await asked;

    await page.getByRole('tab', { name: 'All' }).click();
    await expect(page).toHaveURL(/\/search\/influencers$/);
    await page.goBack();
    await expect(page.getByRole('tab', { name: 'Beauty' })).toHaveAttribute('aria-selected', 'true');
  });

  test('is searched from the header, and says so', async ({ page }) => {
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

  test('the panel offers what the specification lists, applies it at once, and is cleared', async ({ page }) => {
    await page.goto('/search/influencers');
    await panelOf(page, 'Advanced filters').focus();
    expect(await optionsOf(page, 'Badge')).toEqual(['Any badge', 'No Verification', 'Blue', 'Gold', 'Platinum']);
    for (const label of ['Instagram followers', 'TikTok followers']) {
      expect(await optionsOf(page, label)).toEqual([
        'All Ranges',
        '0-5K',
        '5K-20K',
        '20K-100K',
        '100K-500K',
        '500K-1M',
        '1M-5M',
        '5M-10M',
        '10M+',
      ]);
    }
    expect(await optionsOf(page, 'Ethnicity')).toHaveLength(34);
    expect((await optionsOf(page, 'Language'))[0]).toBe('All Languages');
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
  test('opens on hover, focus and click, and closes 300 ms after it was left', async ({ page }) => {
    await page.goto('/search/influencers');
    const title = panelOf(page, 'Advanced filters');
    const place = page.getByLabel('Location');
    await expect(title).toHaveAttribute('aria-expanded', 'false');
    await expect(place).toBeHidden();

    await title.hover();
    await expect(title).toHaveAttribute('aria-expanded', 'true');
    await title.click();
    await expect(place).toBeVisible();
    const stayed = page.evaluate(
      () =>
        new Promise<number>((resolve) => {
          const panel = document.querySelector('.hover-panel');
          const body = document.querySelector<HTMLElement>('.hover-body');
          let left = Number.NaN;
          panel?.addEventListener('pointerleave', () => {
            left = performance.now();
          });
          new MutationObserver(() => {
            if (body?.hidden) resolve(performance.now() - left);
          }).observe(document.body, { attributes: true, subtree: true });
        }),
    );
    await page.mouse.move(5, 5);
    expect(await stayed).toBeGreaterThanOrEqual(295);
    expect(await stayed).toBeLessThan(1500);
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

  test('stays while something in it has the focus', async ({ page }) => {
    await page.goto('/search/influencers');
    await panelOf(page, 'Advanced filters').hover();
    await page.getByLabel('Location').click();
    await page.mouse.move(5, 5);
    await page.keyboard.type('kuching');
    await page.waitForTimeout(500);
    await expect(page.getByLabel('Location')).toHaveValue('kuching');
    await expect(page.getByLabel('Location')).toBeVisible();
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

test.describe('/explore', () => {
  test('Search applies the panel, Reset clears it', async ({ page }) => {
    await page.goto('/explore');
    const count = page.getByRole('tab', { name: /^Influencers/ }).locator('.count');
    await expect(count).toHaveText(/^\d+$/);
    const all = Number(await count.textContent());
    await panelOf(page, 'Filters').focus();
    expect(await optionsOf(page, 'Industry')).toEqual(
      ['All Industries', 'Fashion', 'Beauty', 'Tech', 'Gaming', 'Lifestyle', 'Travel'].concat([
        'Fitness',
        'Food',
        'Business',
        'Entertainment',
        'Education',
        'Sports',
      ]),
    );
    const ethnicities = await optionsOf(page, 'Ethnicity');
    expect(ethnicities.slice(0, 4)).toEqual(['All Ethnicities', 'Malay', 'Chinese', 'Indian']);
    expect(ethnicities).toHaveLength(1 + 33);
    expect((await optionsOf(page, 'Language')).at(-1)).toBe('Other');

    await choose(page, 'Industry', 'Food');
    await expect(page).toHaveURL(/\/explore$/);
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await expect(page).toHaveURL(/industry=Food&age=18-60$/);
    await expect(page.getByText('Profiles that name no age are left out while filters are applied.')).toBeVisible();
    await expect.poll(async () => Number(await count.textContent())).toBeLessThan(all);
    for (const chip of await page.locator('article .im .chip').allTextContents()) expect(chip).toBe('Food');
    await expect(panelOf(page, 'Filters')).toBeFocused();
    await expect(panelOf(page, 'Filters')).toHaveAttribute('aria-expanded', 'false');

    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Reset' }).click();
    await expect(page).toHaveURL(/\/explore$/);
    await expect(count).toHaveText(String(all));
  });

  test('followers are compared on the chosen platform, in steps of 10,000', async ({ page }) => {
    await page.goto('/explore');
    await panelOf(page, 'Filters').focus();
    await expect(page.getByText('Instagram followers')).toBeVisible();
    await expect(page.getByText('0 – 10M')).toBeVisible();
    await page.getByRole('button', { name: 'YouTube' }).click();
    await page.getByRole('slider', { name: 'YouTube subscribers, least' }).press('ArrowRight');
    await expect(page.getByText('10K+')).toBeVisible();
    await page.getByRole('button', { name: 'YouTube' }).click();
    await expect(page.getByText('Choose a platform')).toBeVisible();
    await page.getByRole('button', { name: 'YouTube' }).click();
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await expect(page).toHaveURL(/platform=youtube&followers=10000-10000000/);
  });

  test('three tabs share the text, and each says when it found nothing', async ({ page }) => {
    await page.goto('/explore?q=kuching');
    await expect(page.getByRole('tab', { name: /^Influencers/ })).toHaveAttribute('aria-selected', 'true');
    await page.getByRole('tab', { name: 'Agencies' }).click();
    await expect(page).toHaveURL(/tab=agencies/);
    await page.getByRole('tab', { name: 'Events' }).click();
    await expect(page.getByRole('article')).toHaveCount(1);
    await expect(page.getByRole('heading', { name: 'Batik Now: runway and market' })).toBeVisible();
    await page.getByRole('searchbox', { name: 'Search events' }).fill('nothing like it');
    await expect(page.getByText('No events found matching your criteria.')).toBeVisible();
    await page.getByRole('tab', { name: 'Agencies' }).click();
    await expect(page.getByText('No agencies found matching your criteria.')).toBeVisible();
    await page.getByRole('tab', { name: /^Influencers/ }).click();
    await expect(page.getByText('No influencers found matching your criteria.')).toBeVisible();
  });

  test('shows six events, which the category row narrows', async ({ page }) => {
    await page.goto('/explore?tab=events');
    await expect(page.getByRole('article')).toHaveCount(6);
    await expect(page.getByRole('button', { name: 'Load More' })).toBeHidden();
    await page.getByRole('tab', { name: 'Gaming' }).click();
    await expect(page.getByRole('article')).toHaveCount(1);
    await expect(page).toHaveURL(/category=Gaming/);
  });
});

for (const [path, title, label, types] of [
  ['/search/agencies', 'Search Agencies', 'Agency Type', ['Marketing', 'PR', 'Talent Search']],
  [
    '/search/vendors',
    'Search Vendors',
    'Vendor Type',
    ['Equipment', 'Services', 'Catering', 'Production', 'Technical'],
  ],
] as const) {
  const many = path.split('/')[2] ?? '';
  test(`${path} is searched by text, type and location, and reset`, async ({ page }) => {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
    await expect(found(page, many)).toBeVisible();
    const all = (await found(page, many).textContent()) ?? '';
    expect(await optionsOf(page, label)).toEqual(['All Types', ...types]);
    await choose(page, label, types[1]);
    await expect(page).toHaveURL(new RegExp(`type=${types[1]}`));
    await expect(found(page, many)).not.toHaveText(all);
    await page.getByLabel('Location').fill('kuching');
    await expect(page).toHaveURL(/location=kuching/);
    await page.getByRole('searchbox', { name: title }).fill('no such business');
    await expect(page.getByText(`No ${many} found matching your criteria.`)).toBeVisible();
    await expect(page.getByText(`Found 0 ${many}`)).toBeVisible();
    await page.getByRole('button', { name: 'Reset' }).click();
    await expect(page).toHaveURL(new RegExp(`${path}$`));
    await expect(page.getByText(all, { exact: true })).toBeVisible();
  });
}

test('one agency is an agency, and leads to its page', async ({ page }) => {
  await page.goto('/search/agencies?q=lumut');
  await expect(page.getByText('Found 1 agency', { exact: true })).toBeVisible();
  await page.getByRole('article').getByRole('link').click();
  await expect(page).toHaveURL(/\/agency\/[0-9a-f-]{36}$/);
});

test('a vendor is reached from the card', async ({ page }) => {
  await page.goto('/search/vendors');
  const cards = page.getByRole('article');
  await expect(cards.first()).toBeVisible();
  const withSite = cards.filter({ has: page.getByRole('link', { name: /^Website/ }) }).first();
  await expect(withSite.getByRole('link', { name: /^Website/ })).toHaveAttribute('target', '_blank');
  for (const contact of await page.getByRole('link', { name: /^Contact/ }).all()) {
    expect(await contact.getAttribute('href')).toMatch(/^mailto:[^@]+@[^@]+$/);
  }
});

test('Load More puts the focus on the first new card and says how many are shown', async ({ page }) => {
  for (const path of ['/search/influencers', '/search/vendors']) {
    await page.goto(path);
    await expect(page.getByRole('article')).toHaveCount(24);
    await page.getByRole('button', { name: 'Load More' }).focus();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('article')).toHaveCount(48);
    await expect(page.getByText(/^48 of \d+ (influencers|vendors) shown$/)).toBeAttached();
    const inside = await page
      .getByRole('article')
      .nth(24)
      .evaluate((card) => card.contains(document.activeElement));
    expect(inside, path).toBe(true);
    await expect(page.getByRole('article').nth(24)).toBeInViewport({ ratio: 0.9 });
  }
});

test('Back finds the pages that were loaded, and the place', async ({ page }) => {
  await page.goto('/search?language=English');
  await expect(page.getByRole('article')).toHaveCount(24);
  await page.getByRole('button', { name: 'Load More' }).click();
  await expect(page.getByRole('article')).toHaveCount(48);
  const card = page.getByRole('article').nth(40).getByRole('link');
  const left = page.evaluate(
    () => new Promise<number>((resolve) => addEventListener('click', () => resolve(window.scrollY), { capture: true })),
  );
  await card.click();
  const place = await left;
  expect(place).toBeGreaterThan(1000);
  await expect(page).toHaveURL(/\/profile\//);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  expect(await page.evaluate(() => window.scrollY)).toBe(0);

  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await page.goBack();
  await expect(page.getByRole('article')).toHaveCount(48);
  await expect.poll(() => page.evaluate(() => Math.round(window.scrollY))).toBe(Math.round(place));
  await page.waitForTimeout(500);
  expect(Math.round(await page.evaluate(() => window.scrollY))).toBe(Math.round(place));
  expect(asked.filter((url) => url.includes('/rest/v1/influencers'))).toEqual([]);
  await page.goForward();
  await expect(page).toHaveURL(/\/profile\//);
});

test('filters of a shared address are all shown, and go one by one without losing the focus', async ({ page }) => {
  await page.goto('/search?category=Food&language=English&badge=Gold');
  const chips = page.getByRole('button', { name: /^Remove filter/ });
  await expect(chips).toHaveText([/Food/, /English/, /Gold badge/]);
  await chips.first().focus();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\?language=English&badge=Gold$/);
  await expect(page.getByRole('button', { name: 'Remove filter: English' })).toBeFocused();
  await page.keyboard.press('Enter');
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

test('typing asks once, and a late answer never overwrites a newer one', async ({ page }) => {
  await page.goto('/search');
  await expect(found(page, 'influencers')).toBeVisible();
  const asked: string[] = [];
  await page.route('**/rest/v1/influencers*', async (route) => {
    const like = new URL(route.request().url()).searchParams.get('or') ?? '';
    asked.push(like);
    // The first search answers long after the second.
    if (like.includes('%sof%')) await new Promise((resolve) => setTimeout(resolve, 1500));
    await route.continue().catch(() => {});
  });
  const box = page.getByRole('searchbox', { name: 'Search by name' });
  await box.pressSequentially('sof', { delay: 40 });
  await expect.poll(() => asked.length).toBe(1);
  await box.fill('harjit');
  await expect(page.getByRole('link', { name: 'Harjit Gill' })).toBeVisible();
  await page.waitForTimeout(2000);
  await expect(page.getByRole('link', { name: 'Harjit Gill' })).toBeVisible();
  await expect(page.getByText('Found 1 influencer', { exact: true })).toBeVisible();
  expect(asked).toHaveLength(2);
});

for (const [path, many] of [
  ['/search', 'influencers'],
  ['/search/influencers', 'influencers'],
  ['/search/agencies', 'agencies'],
  ['/search/vendors', 'vendors'],
  ['/explore', 'influencers'],
  ['/explore?tab=agencies', 'agencies'],
] as const) {
  test(`${path} says that it loads, and that loading failed`, async ({ page }) => {
    let answer: 'later' | 'refused' | 'down' | 'well' = 'later';
    await page.route('**/rest/v1/**', async (route) => {
      while (answer === 'later') await new Promise((resolve) => setTimeout(resolve, 50));
      if (answer === 'down') return route.abort();
      if (answer === 'refused') return route.fulfill({ status: 400, json: { code: '22000', message: 'No.' } });
      return route.continue();
    });
    await page.goto(path);
    await expect(page.getByText(`Loading ${many}...`)).toBeAttached();
    await expect(page.locator('main .sk').first()).toBeVisible();

    answer = 'refused';
    const toast = page.locator('.toast').filter({ hasText: 'Error' });
    await expect(toast).toContainText(`Failed to load ${many}`);
    await expect(page.getByRole('heading', { name: `Failed to load ${many}` })).toBeVisible();
    answer = 'well';
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(page.getByRole('article').first()).toBeVisible();

    answer = 'down';
    await page.reload();
    await expect(page.getByRole('heading', { name: "Serasi isn't answering" })).toBeVisible();
    await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1);
    answer = 'well';
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(page.getByRole('article').first()).toBeVisible();
  });
}

test('a page that fails to come leaves the list and Load More', async ({ page }) => {
  await page.goto('/search');
  await expect(page.getByRole('article')).toHaveCount(24);
  await page.route('**/rest/v1/influencers*', (route) => route.abort());
  await page.getByRole('button', { name: 'Load More' }).click();
  await expect(page.locator('.toast')).toContainText('Failed to load influencers');
  await expect(page.getByRole('article')).toHaveCount(24);
  await page.unroute('**/rest/v1/influencers*');
  await page.getByRole('button', { name: 'Load More' }).click();
  await expect(page.getByRole('article')).toHaveCount(48);
});

const SCREENS = ['/search', '/search/influencers', '/search/agencies', '/search/vendors', '/explore'].concat([
  '/explore?tab=agencies',
  '/explore?tab=events',
  '/explore?q=nobody-at-all',
  '/search/vendors?q=nobody-at-all',
]);

for (const width of [320, 360, 390, 768, 1024, 1440]) {
  test(`no list scrolls sideways at ${width}`, async ({ page }) => {
    await page.setViewportSize({ width, height: 844 });
    for (const path of SCREENS) {
      await page.goto(path);
      await expect(page.getByText(/^Found \d+ /)).toBeAttached();
      const title = page.getByRole('button', { name: /^(Advanced filters|Filters)/, expanded: false });
      if (await title.isVisible()) await title.click();
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      expect(overflow, path).toBeLessThanOrEqual(0);
    }
  });
}

for (const colorScheme of ['light', 'dark'] as const) {
  for (const width of [390, 1440]) {
    test(`lists shut nobody out (${colorScheme}, ${width})`, async ({ page }) => {
      test.slow();
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      for (const path of SCREENS) {
        await page.goto(path);
        await expect(page.getByText(/^Found \d+ /)).toBeAttached();
        await page.waitForLoadState('networkidle');
        const title = page.getByRole('button', { name: /^(Advanced filters|Filters)/, expanded: false });
        if (await title.isVisible()) await title.click();
        await expectAccessible(page);
      }
    });
  }
}

// How the public screens look, against reference pictures. The rows are the demo people's alone, whatever other tests
// are adding meanwhile, and the clock stands still; so nothing has to be masked and the order of the files is no matter.
// A change that is meant: `npm run e2e -- pictures --update-snapshots`, look at them, and keep them small:
// `mogrify +dither -colors 128 -strip -format png e2e/pictures/*.png`.

import { expect, type Locator, type Page } from '@playwright/test';
import { signedIn, startSession } from './accounts';
import { withoutFirstAnswers } from './first-answers';
import { demo } from './people';
import { test } from './test';

const PHONE = { width: 390, height: 844 };
const DESKTOP = { width: 1440, height: 900 };
/** A day on which no sample event has to move to the next year. */
const TODAY = '2026-01-05T09:00:00+08:00';

/** Their ids begin with the table's number. */
const DEMO_ROWS = { influencers: 2, agencies: 3, vendors: 4, gigs: 5 };

test.use({ contextOptions: { reducedMotion: 'reduce' }, timezoneId: 'Asia/Kuala_Lumpur', locale: 'en-GB' });

test.beforeEach(async ({ page }) => {
  await page.clock.setFixedTime(TODAY);
  await withoutFirstAnswers(page);
  for (const [table, number] of Object.entries(DEMO_ROWS)) {
    const id = (last: string) => `5e7a000${number}-0000-4000-8000-0000000000${last}`;
    await page.route(`**/rest/v1/${table}?*`, async (route) => {
      const answer = await route.fetch({ url: `${route.request().url()}&id=gte.${id('00')}&id=lte.${id('99')}` });
      const rows = await answer.json();
      const json = Array.isArray(rows) ? rows.map((row) => fixed(row)) : fixed(rows);
      await route.fulfill({ response: answer, json });
    });
  }
});

/** What the demo data reckons from today. */
function fixed(row: Record<string, unknown>) {
  if ('age' in row) row.age = 27;
  if ('created_at' in row) row.created_at = TODAY;
  return row;
}

const SCREENS: [name: string, path: string, themes: ('light' | 'dark')[]][] = [
  ['home', '/', ['light', 'dark']],
  ['explore', '/explore', ['light']],
  ['search', '/search', ['light', 'dark']],
  ['search-influencers', '/search/influencers', ['light']],
  ['search-agencies', '/search/agencies', ['light']],
  ['search-vendors', '/search/vendors', ['light']],
  ['nothing-found', '/search?q=nobody-is-called-this', ['light']],
  ['profile', '/profile/5e7a0002-0000-4000-8000-000000000001', ['light', 'dark']],
  ['agency', '/agency/5e7a0003-0000-4000-8000-000000000001', ['light']],
  ['gigs-visitor', '/gigs', ['light']],
  ['pricing', '/pricing', ['light']],
  ['favorites', '/favorites', ['light']],
  ['help-center', '/help-center', ['light']],
  ['about-us', '/about-us', ['light']],
  ['privacy-policy', '/privacy-policy', ['light']],
  ['api', '/api', ['light']],
  ['not-found', '/nowhere', ['light']],
];

for (const [name, path, themes] of SCREENS) {
  test(`${name} looks as it did`, async ({ page }) => {
    await page.goto(path);
    await expectPictures(page, name, themes);
  });
}

test('the lower half of home looks as it did', async ({ page }) => {
  await page.goto('/');
  await expectPictures(page, 'home-featured', ['light'], page.getByRole('heading', { name: 'Featured creators' }));
});

for (const [name, account] of [
  ['gigs', 'influencer'],
  ['gigs-waiting', 'pending'],
] as const) {
  test(`${name} looks as it did`, async ({ page, request }) => {
    await startSession(page, await signedIn(request, demo(account)));
    await page.goto('/gigs');
    await expectPictures(page, name, ['light']);
  });
}

/** From `top` on, or from the beginning. */
async function expectPictures(page: Page, name: string, themes: ('light' | 'dark')[], top?: Locator) {
  for (const [width, size] of Object.entries({ 1440: DESKTOP, 390: PHONE })) {
    await page.setViewportSize(size);
    for (const colorScheme of themes) {
      await page.emulateMedia({ colorScheme });
      await settled(page);
      if (top) {
        await top.evaluate((heading) => heading.scrollIntoView({ behavior: 'instant' }));
        await settled(page);
      }
      await expect(page).toHaveScreenshot(`${name}-${width}${colorScheme === 'dark' ? '-dark' : ''}.png`);
    }
  }
}

/** Nothing is loading any more: rows, letters, and the pictures in sight. */
async function settled(page: Page) {
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.locator('.sk:visible, [aria-busy=true]')).toHaveCount(0);
  await page.evaluate(async () => {
    await document.fonts.ready;
    const inSight = [...document.images].filter((image) => {
      const { top, bottom, width } = image.getBoundingClientRect();
      return width > 0 && top < window.innerHeight && bottom > 0;
    });
    await Promise.all(inSight.map((image) => image.decode().catch(() => {})));
  });
}

// Every public screen, loaded once: its title, its screenshots, its accessibility in both themes, and its width.
// The rows are the demo data and the clock is fixed, so that other tests and the date do not change the screenshots.
// To accept an intended change: `npm run e2e -- screens --update-snapshots`, check the images, then shrink them with
// `mogrify +dither -colors 128 -strip -format png e2e/pictures/*.png`.
import { expect, type Locator, type Page } from '@playwright/test';
import named from '../src/lib/pages.json' with { type: 'json' };
import { expectAccessible, expectNoSidewaysScroll } from './accessibility';
import { signedIn, startSession } from './accounts';
import { withoutFirstAnswers } from './first-answers';
import { demo } from './people';
import { test } from './test';

const pages: { path: string; title: string; private?: boolean }[] = Object.values(named);

type Theme = 'light' | 'dark';

interface Screen {
  name: string;
  path: string;
  heading: string | RegExp;
  /** The themes that have screenshots. */
  pictures?: Theme[];
  /** Where axe runs. By default in both themes, on a phone and on a desktop. */
  axe?: [width: number, theme: Theme][];
  /** A demo account that is signed in. */
  account?: string;
}

const SIZES = { 1440: { width: 1440, height: 900 }, 390: { width: 390, height: 844 } };
const WIDTHS = [320, 360, 390, 768, 1024, 1440];

const inBothThemes = (...widths: number[]) =>
  widths.flatMap((width): [number, Theme][] => [
    [width, 'light'],
    [width, 'dark'],
  ]);

/** For a simple page, whose layout hardly changes with the width. */
const BRIEF: Screen['axe'] = [
  [390, 'light'],
  [1440, 'dark'],
];

const HOME = 'Connect with the right influencers and agencies';
const PROFILE = /^(@aisyah\.jalan gold badge|Screen Size Too Small)$/;
const LUMUT = '/agency/5e7a0003-0000-4000-8000-000000000001';
const AISYAH = '/profile/5e7a0002-0000-4000-8000-000000000001';
const GIG = '/gigs/5e7a0005-0000-4000-8000-000000000003';
const ENQUIRY = '/enquiries/5e7a0032-0000-4000-8000-000000000001';
const REVIEW = '/review/5e7a0007-0000-4000-8000-000000000103';
const NOBODY = '00000000-0000-4000-8000-000000000000';

const LIGHT: Theme[] = ['light'];
const BOTH: Theme[] = ['light', 'dark'];

const SCREENS: Screen[] = [
  { name: 'home', path: '/', heading: HOME, pictures: BOTH },
  { name: 'explore', path: '/explore', heading: 'Explore', pictures: LIGHT },
  { name: 'explore-agencies', path: '/explore?tab=agencies', heading: 'Explore' },
  { name: 'explore-events', path: '/explore?tab=events', heading: 'Explore' },
  { name: 'explore-nothing-found', path: '/explore?q=nobody-at-all', heading: 'Explore', axe: BRIEF },
  { name: 'search', path: '/search', heading: 'Influencers', pictures: BOTH },
  { name: 'search-influencers', path: '/search/influencers', heading: 'Search Influencers', pictures: LIGHT },
  { name: 'search-agencies', path: '/search/agencies', heading: 'Search Agencies', pictures: LIGHT },
  { name: 'search-vendors', path: '/search/vendors', heading: 'Search Vendors', pictures: LIGHT },
  {
    name: 'nothing-found',
    path: '/search?q=nobody-is-called-this',
    heading: 'Influencers',
    pictures: LIGHT,
    axe: BRIEF,
  },
  { name: 'profile', path: AISYAH, heading: PROFILE, pictures: BOTH, axe: inBothThemes(390, 1024, 1440) },
  { name: 'profile-missing', path: `/profile/${NOBODY}`, heading: 'Influencer not found', axe: BRIEF },
  { name: 'agency', path: LUMUT, heading: 'Lumut Studio', pictures: LIGHT },
  { name: 'agency-missing', path: `/agency/${NOBODY}`, heading: 'Agency Not Found', axe: BRIEF },
  { name: 'gigs-visitor', path: '/gigs', heading: /./, pictures: LIGHT, axe: [] },
  { name: 'gigs', path: '/gigs', heading: 'Available Gigs', pictures: LIGHT, account: 'influencer' },
  {
    name: 'gigs-waiting',
    path: '/gigs',
    heading: 'Approval & Verification Required',
    pictures: LIGHT,
    account: 'pending',
  },
  { name: 'gig', path: GIG, heading: /^Skincare wear test/, pictures: LIGHT, account: 'influencer', axe: BRIEF },
  { name: 'applications', path: '/applications', heading: 'Your applications', pictures: LIGHT, account: 'influencer' },
  { name: 'enquire', path: `${AISYAH}/enquire`, heading: 'Write to Aisyah Rahmat', pictures: LIGHT, axe: BRIEF },
  { name: 'enquiry', path: ENQUIRY, heading: 'From Lumut Studio', pictures: BOTH, account: 'influencer', axe: BRIEF },
  { name: 'review', path: REVIEW, heading: 'How was Aisyah Rahmat?', pictures: LIGHT, account: 'agency', axe: BRIEF },
  { name: 'pricing', path: '/pricing', heading: 'Choose Your Perfect Package', pictures: LIGHT },
  { name: 'favorites', path: '/favorites', heading: 'Favorites', pictures: LIGHT, axe: BRIEF },
  { name: 'watchlist', path: '/watchlist', heading: 'Watchlist', axe: BRIEF },
  { name: 'my-collections', path: '/my-collections', heading: 'My Collections', axe: BRIEF },
  { name: 'notifications', path: '/notifications', heading: 'Notifications', account: 'influencer', axe: BRIEF },
  { name: 'unsubscribe', path: '/unsubscribe?token=x', heading: 'Stop these e-mails?', axe: BRIEF },
  { name: 'help-center', path: '/help-center', heading: 'Help Center', pictures: LIGHT, axe: BRIEF },
  { name: 'about-us', path: '/about-us', heading: 'About Us', pictures: LIGHT, axe: BRIEF },
  { name: 'privacy-policy', path: '/privacy-policy', heading: 'Privacy Policy', pictures: LIGHT, axe: BRIEF },
  { name: 'licenses', path: '/licenses', heading: 'Licenses', axe: BRIEF },
  { name: 'api', path: '/api', heading: 'API', pictures: LIGHT, axe: BRIEF },
  { name: 'not-found', path: '/nowhere', heading: 'Oops! Page not found', pictures: LIGHT, axe: BRIEF },
  { name: 'auth', path: '/auth', heading: /./, axe: BRIEF },
  // auth-portals.spec.ts runs axe on these two.
  { name: 'agency-auth', path: '/agency-auth', heading: /./, axe: [] },
  { name: 'vendor-auth', path: '/vendor-auth', heading: /./, axe: [] },
  { name: 'admin-login', path: '/admin/login', heading: /./, axe: BRIEF },
];

/** A day on which no sample event has to move to the next year. */
const TODAY = '2026-01-05T09:00:00+08:00';

/** The ids of the demo rows begin with a number for their table. */
const DEMO_ROWS = { influencers: 2, agencies: 3, vendors: 4, gigs: 5, gig_applications: 6, enquiries: 32 };

/** More cards than any screenshot shows. Half a page of them halves the time that axe takes. */
const MOST_ROWS = 12;

test.describe.configure({ mode: 'parallel' });
test.use({ timezoneId: 'Asia/Kuala_Lumpur', locale: 'en-GB' });

test.beforeEach(async ({ page }) => {
  await page.clock.setFixedTime(TODAY);
  await withoutFirstAnswers(page);
  for (const [table, number] of Object.entries(DEMO_ROWS)) {
    const id = (last: string) => `5e7a${String(number).padStart(4, '0')}-0000-4000-8000-0000000000${last}`;
    await page.route(`**/rest/v1/${table}?*`, async (route) => {
      if (route.request().method() !== 'GET') return route.fallback();
      const answer = await route.fetch({ url: `${route.request().url()}&id=gte.${id('00')}&id=lte.${id('99')}` });
      const rows = await answer.json();
      const json = Array.isArray(rows) ? rows.slice(0, MOST_ROWS).map(fixed) : fixed(rows);
      await route.fulfill({ response: answer, json });
    });
  }
});

/** The demo data derives these columns from the current date. */
const FIXED: Record<string, string> = {
  created_at: TODAY,
  answered_at: TODAY,
  decided_at: TODAY,
  expires_at: '2026-01-12T09:00:00+08:00',
  closes_on: '2026-01-19',
  starts_on: '2026-02-02',
  ends_on: '2026-02-08',
};

function fixed(row: Record<string, unknown> | null) {
  if (!row) return row;
  if ('age' in row) row.age = 27;
  for (const [column, value] of Object.entries(FIXED)) if (row[column]) row[column] = value;
  return row;
}

test('every public page is one of the screens', () => {
  const own = pages.filter(({ path, private: hidden }) => !hidden && !path.includes(':')).map(({ path }) => path);
  const listed = SCREENS.map(({ path }) => path);
  expect(own.filter((path) => !listed.includes(path))).toEqual([]);
});

for (const screen of SCREENS) {
  const { name, path, heading, account, axe = inBothThemes(390, 1440), pictures = [] } = screen;
  test(`${name} looks right, is accessible and fits every width`, async ({ page, request }) => {
    if (account) await startSession(page, await signedIn(request, demo(account)));
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible();
    if (/^.(search|explore)/.test(path)) await expect(page.getByText(/^Found \d+ /)).toBeAttached();
    const own = pages.find((entry) => entry.path === path && !entry.private);
    // The gigs page redirects visitors to the sign-in page.
    if (own && name !== 'gigs-visitor') await expect(page).toHaveTitle(`${own.title} · Serasi`);
    if (pictures.length > 0) await expectPictures(page, name, pictures);

    await openFilters(page);
    await expectNoSidewaysScroll(page, WIDTHS);
    for (const [width, colorScheme] of axe) {
      await page.setViewportSize({ width, height: 844 });
      await page.emulateMedia({ colorScheme });
      await settled(page);
      await expectAccessible(page);
    }
  });
}

test('the lower half of home looks unchanged', async ({ page }) => {
  await page.goto('/');
  await expectPictures(page, 'home-featured', ['light'], page.getByRole('heading', { name: 'Featured creators' }));
});

// After a change of theme, expectAccessible runs only axe's rules about colors.
test('the themes differ only in colors', async ({ page }) => {
  await page.goto('/');
  // The rules of a style sheet that is still loading can't be read.
  await page.waitForLoadState('networkidle');
  const dark = await page.evaluate(() => {
    const found: [name: string, value: string][] = [];
    const collect = (rules: CSSRuleList, inTheme = false) => {
      for (const rule of rules) {
        const condition =
          rule instanceof CSSStyleRule ? rule.selectorText : rule instanceof CSSMediaRule ? rule.conditionText : '';
        const own = inTheme || /\.dark\b|color-scheme/.test(condition);
        const { style } = rule as CSSStyleRule;
        if (own && style) for (const name of style) found.push([name, style.getPropertyValue(name).trim()]);
        if ('cssRules' in rule) collect(rule.cssRules as CSSRuleList, own);
      }
    };
    for (const sheet of document.styleSheets) collect(sheet.cssRules);
    return found;
  });
  expect(dark.map(([name]) => name)).toEqual(
    expect.arrayContaining(['--background', '--shadow-md', 'background-color']),
  );
  // Lightning CSS uses two properties of its own for light-dark(), which has only colors.
  const color = /^(--lightningcss-.*|--.*:(#[0-9a-f]+|rgba?\([^)]*\))|--shadow-.*|color-scheme:.*|(.*-)?color:.*)$/;
  expect(dark.map(([name, value]) => `${name}:${value.replaceAll(' ', '')}`).filter((one) => !color.test(one))).toEqual(
    [],
  );
});

/** The filter panel stays open while its title has the focus. */
async function openFilters(page: Page) {
  const title = page.locator('[data-slot=hover-title]');
  if ((await title.count()) === 0) return;
  await title.focus();
  await expect(title).toHaveAttribute('aria-expanded', 'true');
}

/** Takes screenshots from `top` on, or from the top of the page. */
async function expectPictures(page: Page, name: string, themes: Theme[], top?: Locator) {
  for (const [width, size] of Object.entries(SIZES)) {
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

/** Waits until the rows, the fonts and the visible pictures have loaded. */
async function settled(page: Page) {
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.locator('[data-slot=skeleton]:visible, [aria-busy=true]')).toHaveCount(0);
  await page.evaluate(async () => {
    await document.fonts.ready;
    const inSight = [...document.images].filter((image) => {
      const { top, bottom, width } = image.getBoundingClientRect();
      return width > 0 && top < window.innerHeight && bottom > 0;
    });
    await Promise.all(inSight.map((image) => image.decode().catch(() => {})));
  });
}

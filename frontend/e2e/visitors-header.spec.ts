import { expect } from '@playwright/test';
import { expectAccessible } from './accessibility';
import { signedIn, startSession } from './accounts';
import { demo, signIn, somebodyNew } from './people';
import { test } from './test';

const LOGINS = [
  ['Agency Login', '/agency-auth'],
  ['Vendor Login', '/vendor-auth'],
  ['Influencer Login', '/auth'],
] as const;

test('a visitor finds every section and the three logins, by keyboard too', async ({ page }) => {
  await page.goto('/pricing');
  const navigation = page.getByRole('navigation', { name: 'Main' });
  for (const name of ['INFLUENCERS', 'AGENCIES', 'VENDORS', 'GIGS', 'EVENTS', 'PRICE']) {
    await expect(navigation.getByRole('link', { name })).toBeVisible();
  }
  await expect(page.getByRole('link', { name: 'Dashboard' })).toBeHidden();
  await page.getByRole('button', { name: 'Account menu' }).focus();
  await page.keyboard.press('Enter');
  for (const [name, path] of LOGINS) {
    await expect(page.getByRole('menuitem', { name })).toHaveAttribute('href', path);
  }
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('menuitem')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Account menu' })).toBeFocused();
});

for (const [account, name, role, dashboard] of [
  ['influencer', /.+/, 'influencer', '/dashboard'],
  ['agency', 'Lumut Studio', 'agency', '/agency-dashboard'],
  ['vendor', /.+/, 'vendor', '/vendor-dashboard'],
  ['admin', demo('admin'), 'admin', '/admin'],
  ['superadmin', demo('superadmin'), 'superadmin', '/admin'],
] as const) {
  test(`${account}: menu with name, role, Dashboard and Logout`, async ({ page, request }) => {
    await startSession(page, await signedIn(request, demo(account)));
    await page.goto('/help-center');
    await expect(page.getByRole('banner').getByRole('link', { name: 'Dashboard' })).toHaveAttribute('href', dashboard);
    await page.getByRole('button', { name: 'Account menu' }).click();
    const menu = page.getByRole('menu');
    await expect(menu).toContainText(name);
    await expect(menu.getByText(role, { exact: true })).toBeVisible();
    await menu.getByRole('menuitem', { name: 'Logout' }).click();
    await expect(page.getByText('Logged out successfully')).toBeVisible();
    await expect(page).toHaveURL(/\/$/);
    await expect(page.getByRole('banner').getByRole('link', { name: 'Dashboard' })).toBeHidden();
    await page.getByRole('button', { name: 'Account menu' }).click();
    await expect(page.getByRole('menuitem', { name: 'Agency Login' })).toBeVisible();
  });
}

test('an account without a name has Logout but no Dashboard', async ({ page }) => {
  const me = somebodyNew();
  await page.goto('/auth?tab=sign-up');
  await page.getByLabel('E-mail').fill(me.email);
  await page.getByLabel('Password', { exact: true }).fill('rahsia88');
  await page.getByRole('button', { name: 'Sign Up' }).click();
  await expect(page).toHaveURL(/\/dashboard$/);
  await page.goto('/help-center');
  await page.getByRole('button', { name: 'Account menu' }).click();
  await expect(page.getByRole('menu')).toContainText(me.email);
  await expect(page.getByRole('menu').getByText('influencer', { exact: true })).toBeVisible();
  await expect(page.getByRole('banner').getByRole('link', { name: 'Dashboard' })).toBeHidden();
});

test('signing in or out in one tab updates the other', async ({ context }) => {
  const [one, other] = [await context.newPage(), await context.newPage()];
  await other.goto('/pricing');
  const dashboard = other.getByRole('banner').getByRole('link', { name: 'Dashboard' });
  await expect(dashboard).toBeHidden();
  // Chromium renders a tab in the background once per second, and clicks wait for frames.
  await one.bringToFront();
  await signIn(one, '/auth', demo('influencer'));
  await expect(one).toHaveURL(/\/dashboard$/);
  await expect(dashboard).toHaveAttribute('href', '/dashboard');
  await one.goto('/');
  await one.getByRole('button', { name: 'Account menu' }).click();
  await one.getByRole('menuitem', { name: 'Logout' }).click();
  await expect(dashboard).toBeHidden();
});

test('failed role lookups are silent', async ({ page, request }) => {
  await startSession(page, await signedIn(request, demo('influencer')));
  await page.route('**/rest/v1/user_roles?*', (route) => route.fulfill({ status: 500, json: { message: 'no' } }));
  const failed = page.waitForResponse(/user_roles/);
  await page.goto('/pricing');
  await failed;
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.locator('[data-sonner-toast]')).toHaveCount(0);
  await expect(page.getByRole('banner').getByRole('link', { name: 'Dashboard' })).toBeHidden();
  await page.getByRole('button', { name: 'Account menu' }).click();
  await expect(page.getByRole('menuitem', { name: 'Logout' })).toBeVisible();
});

test('EVENTS scrolls to the events from any page, repeatedly', async ({ page }) => {
  await page.goto('/pricing');
  const link = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'EVENTS' });
  await link.click();
  await expect(page).toHaveURL(/\/#events$/);
  const events = page.getByRole('heading', { name: 'Events', exact: true });
  await expect(events).toBeInViewport();
  await page.evaluate(() => window.scrollTo(0, 0));
  await expect(events).not.toBeInViewport();
  await link.click();
  await expect(events).toBeInViewport();
});

test('the phone menu has everything, and Escape closes it', async ({ page, request }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/pricing');
  const toggle = page.getByRole('button', { name: 'Menu', exact: true });
  await toggle.click();
  const navigation = page.getByRole('navigation', { name: 'Main' });
  for (const name of ['INFLUENCERS', 'AGENCIES', 'VENDORS', 'GIGS', 'EVENTS', 'PRICE']) {
    await expect(navigation.getByRole('link', { name })).toBeVisible();
  }
  for (const [name, path] of LOGINS) await expect(page.getByRole('link', { name })).toHaveAttribute('href', path);
  await expectAccessible(page);
  await expect(page.locator('body'), 'the page behind does not scroll').toHaveCSS('overflow', 'hidden');
  await page.keyboard.press('Escape');
  await expect(navigation).toBeHidden();
  await expect(toggle).toBeFocused();
  await expect(page.locator('body')).not.toHaveCSS('overflow', 'hidden');
  await toggle.click();
  await page.getByRole('searchbox', { name: 'Search influencers' }).fill('sofea');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/search\?q=sofea$/);
  await expect(navigation).toBeHidden();

  await startSession(page, await signedIn(request, demo('vendor')));
  await page.reload();
  await toggle.click();
  await expect(page.getByRole('link', { name: 'Dashboard' })).toHaveAttribute('href', '/vendor-dashboard');
  await page.getByRole('button', { name: 'Logout' }).click();
  await expect(page.getByText('Logged out successfully')).toBeVisible();
});

for (const [list, filter, typed, found] of [
  ['/search', 'badge=Gold', 'aisyah', 'Found 1 influencer'],
  ['/search/agencies', 'location=kota', 'lumut', 'Found 1 agency'],
  ['/search/vendors', 'type=Catering', 'nobody supplies this', 'Found 0 vendors'],
] as const) {
  test(`the header search filters ${list} in addition to its own filters`, async ({ page }) => {
    const field = page.getByRole('searchbox', { name: 'Search influencers' });
    const filtered = async () => {
      await expect(page).toHaveURL((url) => url.pathname === list && url.searchParams.get('q') === typed);
      expect(page.url()).toContain(filter);
      await expect(page.getByText(found, { exact: true })).toBeVisible();
    };
    await page.goto(`${list}?${filter}`);
    await field.fill(typed);
    await filtered();
    await page.goBack();
    await expect(page).toHaveURL(new RegExp(`${list}\\?${filter}$`));

    await page.setViewportSize({ width: 390, height: 844 });
    const toggle = page.getByRole('button', { name: 'Menu', exact: true });
    const navigation = page.getByRole('navigation', { name: 'Main' });
    await toggle.click();
    await field.fill(typed);
    await filtered();
    await expect(navigation, 'typing leaves the menu open').toBeVisible();
    await expect(field).toBeFocused();
    await field.press('Enter');
    await expect(navigation).toBeHidden();
    await expect(toggle).toBeFocused();
    await filtered();
    await toggle.click();
    await expect(field).toHaveValue(typed);
    await field.fill('');
    await field.press('Enter');
    await expect(navigation).toBeHidden();
    await expect(page).toHaveURL(new RegExp(`${list}\\?${filter}$`));
  });
}

/** Each link and the title of its page. The last one leads visitors to the sign-in page, which has no footer. */
const FOOTER = {
  Explore: 'Explore',
  'Help Center': 'Help Center',
  'Become a Partner': 'Choose Your Perfect Package',
  'About Us': 'About Us',
  Favorites: 'Favorites',
  Watchlist: 'Watchlist',
  'My Collections': 'My Collections',
  'Privacy Policy': 'Privacy Policy',
  Licenses: 'Licenses',
  API: 'API',
  Profile: /./,
};

test('every link in the footer opens its page', async ({ page }) => {
  await page.goto('/pricing');
  const footer = page.getByRole('contentinfo');
  await expect(footer.getByLabel('Region').getByRole('option')).toHaveText(['USD']);
  await expect(footer.getByPlaceholder('Enter your e-mail')).toBeVisible();
  await expect(footer).toContainText('© 2025 Serasi. All rights reserved.');
  await expect(footer.getByRole('link', { name: /^Serasi on / })).toHaveCount(4);
  for (const [name, title] of Object.entries(FOOTER)) {
    await footer.getByRole('link', { name, exact: true }).click();
    await expect(page.getByRole('heading', { level: 1, name: title }), name).toBeVisible();
  }
});

test('/ goes to the search with a focus ring, a click without one; a Ctrl-click opens a tab', async ({
  page,
  context,
}) => {
  await page.goto('/search/agencies');
  const field = page.getByRole('searchbox', { name: 'Search agencies' });
  const frame = field.locator('..');
  await page.keyboard.press('/');
  await expect(field).toBeFocused();
  await expect(field).toHaveValue('');
  await expect(frame).toHaveCSS('outline-style', 'solid');
  await field.click();
  await expect(frame).toHaveCSS('outline-style', 'none');
  await page.getByRole('textbox', { name: 'Location' }).click();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Reset' })).toHaveCSS('outline-style', 'solid');
  for (const link of [
    page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'PRICE' }),
    page.getByRole('banner').getByRole('link', { name: 'Favorites' }),
  ]) {
    const [tab] = await Promise.all([context.waitForEvent('page'), link.click({ modifiers: ['ControlOrMeta'] })]);
    await tab.close();
  }
  await expect(page).toHaveURL(/\/search\/agencies$/);
});

import { expect, type Page } from '@playwright/test';
import { expectAccessible, expectAccessibleInBoth } from './accessibility';
import { newInfluencer, signedIn, startSession } from './accounts';
import { expectCategory } from './list-controls';
import { demo } from './people';
import { test } from './test';

const GONE = '00000000-0000-4000-8000-000000000000';

async function save(page: Page, name: string) {
  await page.goto(`/search?q=${encodeURIComponent(name)}`);
  await page.getByRole('link', { name, exact: true }).click();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Saved', exact: true })).toHaveAttribute('aria-pressed', 'true');
}

/** Uses the bookmark on the card. */
async function saveFromList(page: Page, name: string) {
  await page.goto(`/search?q=${encodeURIComponent(name)}`);
  await page.getByRole('button', { name: `Save ${name}` }).click();
  await expect(page.getByRole('button', { name: `Remove ${name} from favorites` })).toBeVisible();
}

test('the empty page links to the search', async ({ page }) => {
  await page.goto('/favorites');
  await expect(page.getByRole('heading', { level: 1, name: 'Favorites' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'No favorites yet' })).toBeVisible();
  await expect(page.getByRole('main').getByRole('link', { name: 'Find Influencers' })).toHaveAttribute(
    'href',
    '/search/influencers',
  );
});

test('a visitor saves profiles in this browser, newest first, and removes them', async ({ page }) => {
  await saveFromList(page, 'Sofea Karim');
  await save(page, 'Harjit Gill');
  await page.reload();
  await expect(page.getByRole('button', { name: 'Saved', exact: true })).toBeVisible();
  await page.getByRole('contentinfo').getByRole('link', { name: 'Favorites' }).click();
  await expect(page.getByText('2 saved profiles')).toBeVisible();
  await expect(page.getByText('Kept in this browser')).toBeVisible();
  await expect(page.getByRole('article').getByRole('link')).toHaveText(['Harjit Gill', 'Sofea Karim']);
  await expectAccessibleInBoth(page);
  await page.getByRole('button', { name: 'Remove Harjit Gill from favorites' }).click();
  await expect(page.getByRole('heading', { name: '1 saved profile', exact: true })).toBeFocused();
  await page.reload();
  await expect(page.getByRole('article').getByRole('link')).toHaveText(['Sofea Karim']);
  await page.getByRole('button', { name: 'Remove Sofea Karim from favorites' }).click();
  await expect(page.getByText('No favorites yet')).toBeVisible();
});

test('a profile that was deleted can be removed', async ({ page }) => {
  await page.goto('/');
  await page.evaluate((id) => {
    localStorage.setItem('serasi-favourites', JSON.stringify({ state: { ids: [id] }, version: 0 }));
  }, GONE);
  await page.goto('/favorites');
  await expect(page.getByRole('heading', { name: 'No longer listed' })).toBeVisible();
  await expect(page.getByText('This profile was removed, or is not public right now.')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByText('No favorites yet')).toBeVisible();
});

test('the cards on the home page can be saved', async ({ page }) => {
  await page.goto('/');
  // Another test may delete the newest profile at any moment.
  await page.getByRole('tab', { name: 'Gaming' }).click();
  await expectCategory(page.getByRole('tabpanel'), 'Gaming');
  const button = page.getByRole('button', { name: /^Save / }).first();
  const name = (await button.getAttribute('aria-label'))?.replace('Save ', '');
  await button.click();
  await expect(page.getByRole('button', { name: `Remove ${name} from favorites` })).toHaveAttribute(
    'aria-pressed',
    'true',
  );
  await page.goto('/favorites');
  await expect(page.getByRole('link', { name: name ?? '', exact: true })).toBeVisible();
});

test('signing in moves them to the account, and another browser shows them', async ({ page, request, browser }) => {
  const me = await newInfluencer(request);
  await saveFromList(page, 'Sofea Karim');
  await saveFromList(page, 'Harjit Gill');
  await page.evaluate((session) => localStorage.setItem('serasi-session', JSON.stringify(session)), me.session);
  await page.goto('/favorites');
  await expect(page.getByText('2 saved profiles')).toBeVisible();
  await expect(page.getByText('Kept in this browser')).toBeHidden();
  const local = () => page.evaluate(() => JSON.parse(localStorage.getItem('serasi-favourites') ?? '{}').state.ids);
  await expect.poll(local).toEqual([]);

  const other = await (await browser.newContext()).newPage();
  await startSession(other, me);
  await other.goto('/favorites');
  await expect(other.getByRole('article').getByRole('link')).toHaveText(['Harjit Gill', 'Sofea Karim']);
  // The page updates before the server has stored the change.
  const stored = other.waitForResponse((answer) => answer.request().method() === 'DELETE');
  await other.getByRole('button', { name: 'Remove Harjit Gill from favorites' }).click();
  await expect(other.getByText('1 saved profile', { exact: true })).toBeVisible();
  await stored;
  await page.reload();
  await expect(page.getByRole('article').getByRole('link')).toHaveText(['Sofea Karim']);
});

test('another account does not see them', async ({ page, request }) => {
  await startSession(page, await signedIn(request, demo('vendor')));
  await page.goto('/favorites');
  await expect(page.getByText('No favorites yet')).toBeVisible();
});

import { expect } from '@playwright/test';
import { changeAsAdmin, deleteAsAdmin, newInfluencer, signedIn, startSession } from './accounts';
import { demo } from './people';
import { test } from './test';

test('a visitor is asked to sign in first', async ({ page }) => {
  await page.goto('/gigs');
  await expect(page.getByText('Please log in to view gigs')).toBeVisible();
  await expect(page).toHaveURL(/\/auth$/);
  await page.goBack();
  await expect(page).not.toHaveURL(/\/gigs$/);
});

const OWN_GATE = 'You can see gigs once an admin has approved your profile and verified your account.';
const OTHERS_GATE = 'Gigs are for influencers whose profile is approved and verified.';

for (const [account, sentence] of [
  ['pending', OWN_GATE],
  ['agency', `${OTHERS_GATE} Your own gigs are on your dashboard, under Gigs.`],
] as const) {
  test(`${account}: not approved and verified`, async ({ page, request }) => {
    await startSession(page, await signedIn(request, demo(account)));
    await page.goto('/gigs');
    await expect(page.getByRole('heading', { level: 1, name: 'Approval & Verification Required' })).toBeVisible();
    await expect(page.getByText(sentence, { exact: true })).toBeVisible();
    await expect(page.getByRole('heading', { name: 'Available Gigs' })).toBeHidden();
  });
}

test('gigs need both a badge and the approval', async ({ page, request }) => {
  const me = await newInfluencer(request);
  await startSession(page, me);
  const gate = page.getByRole('heading', { name: 'Approval & Verification Required' });
  await page.goto('/gigs');
  await expect(gate).toBeVisible();
  for (const change of [{ badge_type: 'blue' }, { badge_type: 'none', approved: true }]) {
    await changeAsAdmin(request, me.userId, change);
    await page.reload();
    await expect(gate).toBeVisible();
  }
  await changeAsAdmin(request, me.userId, { badge_type: 'blue' });
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Available Gigs' })).toBeVisible();
  await deleteAsAdmin(request, me.userId);
});

test('an approved and verified influencer browses the gigs', async ({ page, request }) => {
  await startSession(page, await signedIn(request, demo('influencer')));
  await page.goto('/gigs');
  await expect(page.getByRole('heading', { level: 1, name: 'Available Gigs' })).toBeVisible();
  await expect(page.getByText('Browse and apply to gigs posted by marketing agencies')).toBeVisible();
  const first = page.getByRole('article').filter({ hasText: 'Raya kuih launch, six short videos' });
  await expect(page.getByRole('article').first()).toBeVisible();
  // Gigs that other tests post come first.
  await expect(async () => {
    if (!(await first.isVisible())) await page.getByRole('button', { name: 'Load More' }).click({ timeout: 2_000 });
    await expect(first).toBeVisible({ timeout: 2_000 });
  }).toPass();
  await expect(first.getByText('Lumut Studio')).toBeVisible();
  await expect(first.getByText(/^Posted \d{1,2} \w{3,4} \d{4}$/)).toBeVisible();
  for (const text of ['Budget', 'RM 6,000', 'Duration', '3 weeks', 'Requirements', 'View Details']) {
    await expect(first.getByText(text, { exact: true })).toBeVisible();
  }
  expect(await page.getByRole('article').count()).toBeGreaterThan(10);
  await page.getByRole('button', { name: 'Account menu' }).click();
  await page.getByRole('menuitem', { name: 'Logout' }).click();
  await expect(page.getByText('Logged out successfully')).toBeVisible();
  await expect(page).toHaveURL(/\/$/);
  await expect(page.getByText('Please log in to view gigs')).toBeHidden();
});

test('without any gig the message does not mention criteria', async ({ page, request }) => {
  await startSession(page, await signedIn(request, demo('influencer')));
  await page.route('**/rest/v1/gigs?*', (route) => route.fulfill({ json: [], headers: { 'content-range': '*/0' } }));
  await page.goto('/gigs');
  await expect(page.getByRole('heading', { name: 'No gigs yet.' })).toBeVisible();
  await expect(page.getByText('Agencies post here. Check back soon.')).toBeVisible();
  await expect(page.getByText(/criteria/)).toHaveCount(0);
});

test('gigs that fail to load show an error and can be retried', async ({ page, request }) => {
  await startSession(page, await signedIn(request, demo('influencer')));
  await page.route('**/rest/v1/gigs?*', (route) => route.abort());
  await page.goto('/gigs');
  await expect(page.getByText('Failed to load gigs').first()).toBeVisible();
  await page.unroute('**/rest/v1/gigs?*');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('article').first()).toBeVisible();
});

test('an admin can close the gigs to one account', async ({ page, request }) => {
  const me = await newInfluencer(request);
  await changeAsAdmin(request, me.userId, { access_gigs_page: false, access_influencer_page: false });
  await startSession(page, me);
  for (const [path, name] of [
    ['/gigs', 'Gigs'],
    ['/search', 'Influencers'],
    ['/search/influencers', 'Influencers'],
    ['/profile/5e7a0002-0000-4000-8000-000000000001', 'Influencers'],
  ] as const) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1, name: 'This page is closed to your account' })).toBeVisible();
    await expect(page.getByText(`An admin has turned off the ${name} page for you.`)).toBeVisible();
  }
});

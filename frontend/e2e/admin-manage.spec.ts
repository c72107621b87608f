// The management page: nothing is stored before Save Changes, and the account sees the result.
import { expect } from '@playwright/test';
import { expectAccessible } from './accessibility';
import { changeAsAdmin, deleteAsAdmin, demoStaff, newInfluencer } from './accounts';
import { browserOf, newBusiness, newStaff, openAs } from './staff';
import { test } from './test';

const STORED = 'approved,verified,badge_type,access_gigs_page,subscription_start_date,subscription_end_date';

test('only Save Changes stores badge, access and dates', async ({ page, browser, request }) => {
  const me = await newInfluencer(request);
  await changeAsAdmin(request, me.userId, { approved: true });
  const judge = await demoStaff(request, 'admin');
  const stored = async () => {
    const answer = await request.get(`/rest/v1/influencers?select=${STORED}&id=eq.${me.profileId}`, {
      headers: judge.headers,
    });
    return (await answer.json())[0];
  };
  const own = await browserOf(browser, me);
  await own.goto('/gigs');
  await expect(own.getByText('Approval & Verification Required').first()).toBeVisible();

  await openAs(page, await newStaff(request), `/admin/influencer/${me.profileId}`);
  const badge = (name: string) => page.getByRole('button', { name: `${name} badge` });
  await badge('Blue').click();
  await badge('Gold').click();
  await expect(badge('Blue')).toHaveAttribute('aria-pressed', 'false');
  await expect(badge('Gold')).toHaveAttribute('aria-pressed', 'true');
  const before = await stored();
  expect(before).toMatchObject({ badge_type: 'none', verified: false });
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await expect(page.getByText('Profile updated successfully')).toBeVisible();
  expect(await stored()).toEqual({ ...before, badge_type: 'gold', verified: true });
  await expect(page.getByText('VerifiedYes')).toBeVisible();
  await own.reload();
  await expect(own.getByRole('heading', { name: 'Available Gigs' })).toBeVisible();
  await expect(own.getByText('Approval & Verification Required')).toHaveCount(0);

  await page.getByRole('switch', { name: 'Gigs page' }).click();
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await expect(page.getByText('Unsaved changes')).toBeHidden();
  await own.reload();
  await expect(own.getByRole('heading', { name: 'Available Gigs' })).toHaveCount(0);
  expect(await stored()).toMatchObject({ access_gigs_page: false });

  await badge('Gold').click();
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await expect(page.getByText('VerifiedNo')).toBeVisible();
  expect(await stored()).toMatchObject({ badge_type: 'none', verified: false });
  await deleteAsAdmin(request, me.userId);
});

test('a subscription cannot end before it starts', async ({ page, request }) => {
  const me = await newBusiness(request, 'vendor');
  await openAs(page, await newStaff(request), `/admin/vendor/${me.profileId}`);
  const choose = async (field: string, day: number) => {
    await page.getByLabel(field).click();
    await page
      .getByRole('gridcell')
      .getByRole('button', { name: new RegExp(` ${day}(st|nd|rd|th),`) })
      .click();
  };
  await choose('Start date', 20);
  await choose('End date', 10);
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await expect(page.locator('[data-slot=error]')).toHaveText('The end date must not be before the start date');
  await choose('End date', 25);
  // The toast too, because it may cover the button.
  await expect(page.getByText('The end date must not be before the start date')).toHaveCount(0, { timeout: 2000 });
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await expect(page.getByText('Profile updated successfully')).toBeVisible();
  const answer = await request.get(
    `/rest/v1/vendors?select=subscription_start_date,subscription_end_date&id=eq.${me.profileId}`,
    { headers: me.headers },
  );
  const [row] = await answer.json();
  expect([row.subscription_start_date, row.subscription_end_date].map((date) => date.slice(8, 19))).toEqual([
    '20T00:00:00',
    '25T00:00:00',
  ]);
  await page.reload();
  await expect(page.getByRole('progressbar', { name: 'Subscription used' })).toBeVisible();
  await expectAccessible(page);
});

test('every way to leave with unsaved changes asks first', async ({ page, request }) => {
  const me = await newBusiness(request, 'agency');
  await openAs(page, await newStaff(request), `/admin?tab=agencies&q=${encodeURIComponent(me.email)}`);
  await page.getByRole('link', { name: me.name, exact: true }).click();
  const flag = page.getByRole('switch', { name: 'Events page' });
  await flag.click();
  await expect(page.getByText('Unsaved changes')).toBeVisible();
  const question = page.getByRole('alertdialog', { name: 'Leave without saving?' });
  const ways = [
    () => page.getByRole('link', { name: 'Back to admin' }).click(),
    () => page.getByRole('link', { name: 'Main Page' }).click(),
    () => page.getByRole('button', { name: 'Cancel' }).click(),
    () => page.getByRole('button', { name: 'Logout' }).click(),
    () => page.goBack(),
  ];
  for (const way of ways) {
    await way();
    await expect(question).toContainText('Events page');
    await question.getByRole('button', { name: 'Stay' }).click();
    await expect(page).toHaveURL(/\/admin\/agency\//);
    await expect(flag).not.toBeChecked();
  }
  await page.goBack();
  await question.getByRole('button', { name: 'Leave without saving' }).click();
  await expect(page).toHaveURL(/tab=agencies/);
  const [row] = await (
    await request.get(`/rest/v1/agencies?select=access_events_page&id=eq.${me.profileId}`, { headers: me.headers })
  ).json();
  expect(row).toEqual({ access_events_page: true });
});

test("two admins never overwrite each other's changes unnoticed", async ({ page, request }) => {
  const me = await newInfluencer(request);
  await openAs(page, await newStaff(request), `/admin/influencer/${me.profileId}`);
  await page.getByRole('button', { name: 'Blue badge' }).click();
  await changeAsAdmin(request, me.userId, { badge_type: 'platinum' });
  await page.getByRole('button', { name: 'Save Changes' }).click();
  await expect(page.getByRole('alert')).toContainText('Someone else changed this profile in the meantime.');
  await page.getByRole('button', { name: 'Reload' }).click();
  await expect(page.getByRole('button', { name: 'Platinum badge' })).toHaveAttribute('aria-pressed', 'true');

  await deleteAsAdmin(request, me.userId);
  await page.getByRole('button', { name: 'Gold badge' }).click();
  // The toast of the first error may cover the button.
  await page.getByRole('button', { name: 'Save Changes' }).press('Enter');
  await expect(page.getByRole('alert')).toContainText('This profile no longer exists. Someone else deleted it.');
  await page.getByRole('button', { name: 'Reload' }).click();
  await expect(page.getByRole('heading', { name: 'This profile no longer exists' })).toBeVisible();
});

test('approve and delete from the management page', async ({ page, request }) => {
  const me = await newInfluencer(request);
  await openAs(page, await newStaff(request), `/admin/influencer/${me.profileId}`);
  await page.getByRole('button', { name: `Approve ${me.name}` }).click();
  await expect(page.getByText('Influencer account approved')).toBeVisible();
  await expect(page.getByText('ApprovedYes')).toBeVisible();
  await page.getByRole('button', { name: 'Delete profile' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete profile' }).click();
  await expect(page.getByText('Influencer profile deleted')).toBeVisible();
  await expect(page).toHaveURL(/\/admin\?tab=influencers$/);
});

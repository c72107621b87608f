import { expect } from '@playwright/test';
import { expectAccessible } from './accessibility';
import { deleteAsAdmin, newInfluencer, serviceHeaders } from './accounts';
import { newStaff, openAs, rowOf } from './staff';
import { test } from './test';

test('the log shows who did what to whom, and can be filtered', async ({ page, request }) => {
  const admin = await newStaff(request);
  const me = await newInfluencer(request);
  const change = (data: object) =>
    request.patch(`/rest/v1/influencers?id=eq.${me.profileId}`, { headers: admin.headers, data });
  await change({ approved: true });
  await change({ badge_type: 'gold', access_gigs_page: false });

  await openAs(page, await newStaff(request, 'superadmin'), '/superadmin');
  await page.getByRole('link', { name: 'Audit log' }).click();
  await page.getByRole('searchbox', { name: 'Search the log' }).fill(me.name);
  await expect(page).toHaveURL(/q=/);
  for (const words of ['Approved influencer', 'Badge none to gold', 'Closed gigs page']) {
    await expect(rowOf(page, words).filter({ hasText: me.name })).toContainText(admin.email);
  }
  await page.getByRole('combobox', { name: 'Action' }).click();
  await page.getByRole('option', { name: 'Badges' }).click();
  await expect(rowOf(page, 'Approved influencer')).toBeHidden();
  await expect(rowOf(page, 'Badge none to gold')).toHaveCount(1);
  await expectAccessible(page);
  await rowOf(page, 'Badge none to gold').getByRole('link', { name: me.name }).click();
  await expect(page).toHaveURL(new RegExp(`/admin/influencer/${me.profileId}$`));
  await page.goBack();
  await expect(page).toHaveURL(/action=badge/);

  // A change with the service key was made by no account.
  const changed = await request.patch(`/rest/v1/influencers?id=eq.${me.profileId}`, {
    headers: serviceHeaders(),
    data: { access_events_page: false },
  });
  expect(changed.ok(), await changed.text()).toBe(true);
  await page.goto('/superadmin/audit?q=system');
  await expect(rowOf(page, 'Closed events page').filter({ hasText: me.name })).toContainText('System');
  await expect(rowOf(page, admin.email)).toHaveCount(0);

  await page.goto('/superadmin/audit');
  // Short texts stay on one line when the table is narrow.
  await page.setViewportSize({ width: 1024, height: 800 });
  const [from, to] = [page.getByText('From', { exact: true }), page.getByText('To', { exact: true })];
  for (const short of [from, to, page.getByRole('time').first(), page.getByText('System').first()]) {
    expect((await short.boundingBox())?.height, `${await short.textContent()}`).toBeLessThan(30);
  }
  await page.getByRole('combobox', { name: 'Person' }).click();
  await page.getByRole('option', { name: admin.email }).click();
  await expect(rowOf(page, 'Approved influencer')).toHaveCount(1);
  await page.getByRole('textbox', { name: 'To' }).fill('1 Jan 2020');
  await expect(page.getByRole('heading', { name: 'No matching entries' })).toBeVisible();
  await page.getByRole('button', { name: 'Reset' }).click();
  await expect(page).toHaveURL(/\/superadmin\/audit$/);

  await deleteAsAdmin(request, me.userId);
  await page.reload();
  await expect(rowOf(page, 'Deleted influencer').filter({ hasText: me.name })).toBeVisible();
  await expect(page.getByRole('link', { name: me.name })).toHaveCount(0);
});

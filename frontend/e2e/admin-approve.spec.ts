// Concurrent approvals in two browsers, and failed approvals.
import { expect } from '@playwright/test';
import { changeAsAdmin, deleteAsAdmin, demoStaff, newInfluencer } from './accounts';
import { mailsTo } from './mailbox';
import { browserOf, newStaff, openAs, rowOf, takeRoleAway } from './staff';
import { test } from './test';

const find = (text: string) => `/admin?q=${encodeURIComponent(text)}`;

test('an approval notifies the influencer, sends an e-mail, and adds the profile to the search', async ({
  page,
  browser,
  request,
}) => {
  const me = await newInfluencer(request);
  const own = await browserOf(browser, me);
  await own.goto('/dashboard');
  await expect(own.getByRole('heading', { name: 'Pending Approval' })).toBeVisible();

  await openAs(page, await newStaff(request), find(me.email));
  await expect(rowOf(page, me.name)).toContainText(me.email);
  await page.getByRole('button', { name: `Approve ${me.name}` }).click();
  await expect(page.getByText('Influencer account approved')).toBeVisible();
  await expect(rowOf(page, me.name)).toBeHidden();
  const approvedAt = Date.now();
  await own.goto(`/search?q=${me.username}`);
  await expect(own.getByText('Found 1 influencer', { exact: true })).toBeVisible();
  test.info().annotations.push({ type: 'in search after', description: `${Date.now() - approvedAt} ms` });
  await own.goto('/dashboard');
  await expect(own.getByLabel('Bio')).toBeVisible();
  await expect(own.getByRole('heading', { name: 'Pending Approval' })).toBeHidden();
  await expect(async () => {
    expect((await mailsTo(request, me.email)).map((mail) => mail.template)).toContain('approved');
  }).toPass();
  const notices = await request.get('/rest/v1/notices?select=kind,seen_at', { headers: me.headers });
  expect(await notices.json()).toMatchObject([{ kind: 'approved' }]);

  await page.getByRole('tab', { name: /^Influencers/ }).click();
  await expect(rowOf(page, me.name)).toBeVisible();
  await deleteAsAdmin(request, me.userId);
});

test('without a connection the row comes back with the reason', async ({ page, request }) => {
  const me = await newInfluencer(request);
  await openAs(page, await newStaff(request), find(me.username));
  await expect(rowOf(page, me.name)).toBeVisible();
  await page.context().setOffline(true);
  await page.getByRole('button', { name: `Approve ${me.name}` }).click();
  await expect(rowOf(page, me.name)).toContainText("Serasi isn't responding. Try again.");
  await page.context().setOffline(false);
  await page.getByRole('button', { name: `Approve ${me.name}` }).click();
  await expect(page.getByText('Influencer account approved')).toBeVisible();
  await deleteAsAdmin(request, me.userId);
});

test('a row that another admin approved or deleted first is reported and disappears', async ({ page, request }) => {
  const [approved, deleted] = [await newInfluencer(request), await newInfluencer(request)];
  await openAs(page, await newStaff(request), find('Nadia Test'));
  await expect(rowOf(page, approved.name)).toBeVisible();
  await expect(rowOf(page, deleted.name)).toBeVisible();
  await changeAsAdmin(request, approved.userId, { approved: true });
  await page.getByRole('button', { name: `Approve ${approved.name}` }).click();
  await expect(page.getByText(`${approved.name}: Someone else already approved this account.`)).toBeVisible();
  await expect(rowOf(page, approved.name)).toBeHidden();
  await expect(rowOf(page, deleted.name)).toBeVisible();
  // Checked first: the list is refetched after the approval, and the row may be gone by then.
  await page.getByRole('button', { name: `Delete ${deleted.name}` }).click();
  await expect(page.getByRole('alertdialog')).toBeVisible();
  await deleteAsAdmin(request, deleted.userId);
  await page.getByRole('button', { name: 'Delete profile' }).click();
  await expect(page.getByText('This profile no longer exists. Someone else deleted it.')).toBeVisible();
  await expect(rowOf(page, deleted.name)).toBeHidden();
  await deleteAsAdmin(request, approved.userId);
});

test('an admin whose role was revoked is sent away and approves nothing', async ({ page, request }) => {
  const me = await newInfluencer(request);
  const admin = await newStaff(request);
  await openAs(page, admin, find(me.username));
  await expect(rowOf(page, me.name)).toBeVisible();
  await takeRoleAway(request, admin.userId);
  await page.getByRole('button', { name: `Approve ${me.name}` }).click();
  await expect(page.locator('[data-sonner-toast]').filter({ hasText: 'Access denied' })).toContainText(
    'You need admin privileges',
  );
  await expect(page).toHaveURL(/\/admin\/login$/);
  const judge = await demoStaff(request, 'admin');
  const rows = await request.get(`/rest/v1/influencers?select=approved&id=eq.${me.profileId}`, {
    headers: judge.headers,
  });
  expect(await rows.json()).toEqual([{ approved: false }]);
  await deleteAsAdmin(request, me.userId);
});

test('several accounts are approved at once by keyboard', async ({ page, request }) => {
  const people = [await newInfluencer(request), await newInfluencer(request), await newInfluencer(request)];
  const mark = `Kumpulan ${people[0]?.username}`;
  for (const [index, person] of people.entries()) {
    const renamed = await request.patch(`/rest/v1/influencers?id=eq.${person.profileId}`, {
      headers: person.headers,
      data: { name: `${mark} ${index}` },
    });
    expect(renamed.ok()).toBe(true);
  }
  await openAs(page, await newStaff(request), `${find(mark)}&sort=name`);
  await expect(page.getByText('1–3 of 3')).toBeVisible();

  await page.getByRole('searchbox').focus();
  await page.keyboard.type('xa');
  await expect(page.getByRole('searchbox')).toHaveValue(`${mark}xa`);
  await expect(page.getByText('No matching accounts')).toBeVisible();
  await page.getByRole('searchbox').fill(mark);
  await expect(page.getByText('1–3 of 3')).toBeVisible();
  await page.getByRole('heading', { level: 1 }).click();

  await page.keyboard.press('?');
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await expect(help.getByText('Select the account')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(help).toBeHidden();
  for (const key of ['j', 'x', 'j', 'x']) await page.keyboard.press(key);
  await expect(page.getByText('2 selected', { exact: true })).toBeVisible();
  await page.keyboard.press('a');
  const question = page.getByRole('alertdialog', { name: 'Approve 2 accounts?' });
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(page.getByText('2 influencer accounts approved')).toBeVisible();
  await expect(page.getByText('1–1 of 1')).toBeVisible();
  await expect(page.getByRole('link', { name: `${mark} 2`, exact: true })).toBeFocused();

  await page.keyboard.press('?');
  await help.getByRole('switch', { name: 'Use keyboard shortcuts' }).click();
  await page.keyboard.press('Escape');
  await expect(help).toBeHidden();
  await page.keyboard.press('j');
  await page.keyboard.press('a');
  await expect(rowOf(page, `${mark} 2`)).toBeVisible();
  for (const person of people) await deleteAsAdmin(request, person.userId);
});

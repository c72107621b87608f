// Superadmins create admins and revoke their roles.
import { type Dialog, expect } from '@playwright/test';
import { expectAccessible } from './accessibility';
import { newInfluencer } from './accounts';
import { demo, PASSWORD, signIn, somebodyNew } from './people';
import { browserOf, newStaff, openAs, rowOf, takeRoleAway } from './staff';
import { test } from './test';

test('a new admin can sign in, and loses access when the role is revoked', async ({ page, browser, request }) => {
  const { email } = somebodyNew();
  await openAs(page, await newStaff(request, 'superadmin'), '/superadmin?tab=create');
  const create = page.getByRole('button', { name: 'Create Admin' });
  await expect(page.getByRole('radio', { name: /^Admin/ })).toBeChecked();
  await create.click();
  await expect(page.locator('[data-slot=error]')).toHaveText(['E-mail is required']);
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await create.click();
  await expect(page.getByText('Admin user created successfully')).toBeVisible();
  await expect(page.getByRole('complementary').getByText(email)).toBeVisible();

  const other = await (await browser.newContext()).newPage();
  await signIn(other, '/admin/login', email);
  await expect(other.getByRole('heading', { name: 'Admin dashboard' })).toBeVisible();

  await page.getByRole('tab', { name: /^Admins/ }).click();
  const answer = (yes: boolean) =>
    page.once('dialog', (question: Dialog) => {
      expect(question.message()).toBe('Are you sure you want to delete this admin user?');
      void (yes ? question.accept() : question.dismiss());
    });
  answer(false);
  await page.getByRole('button', { name: `Delete ${email}` }).click();
  await expect(rowOf(page, email)).toBeVisible();
  answer(true);
  await page.getByRole('button', { name: `Delete ${email}` }).click();
  await expect(page.getByText('Admin user deleted successfully')).toBeVisible();
  await expect(rowOf(page, email)).toBeHidden();

  await other.getByRole('tab', { name: /^Influencers/ }).click();
  await expect(other.getByText('You need admin privileges')).toBeVisible();
  await expect(other).toHaveURL(/\/admin\/login$/);
});

test("a superadmin is created; a taken address is rejected with the server's message", async ({ page, request }) => {
  const { email } = somebodyNew();
  await openAs(page, await newStaff(request, 'superadmin'), '/superadmin?tab=create');
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('radio', { name: /^Super Admin/ }).check({ force: true });
  await page.getByRole('button', { name: 'Create Admin' }).click();
  await expect(page.getByText('Super admin user created successfully')).toBeVisible();
  await page.getByLabel('E-mail').fill(demo('influencer'));
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  const answered = page.waitForResponse('**/functions/v1/create-admin');
  await page.getByRole('button', { name: 'Create Admin' }).click();
  const { error } = await (await answered).json();
  await expect(page.getByRole('alert')).toContainText(error);
  await expectAccessible(page);
});

test("an admin that was already deleted is reported; a former superadmin can't delete anyone", async ({
  page,
  browser,
  request,
}) => {
  const [first, second] = [await newStaff(request), await newStaff(request)];
  const me = await newStaff(request, 'superadmin');
  await openAs(page, me, '/superadmin?tab=admins');
  page.on('dialog', (question) => void question.accept());
  await expect(rowOf(page, first.email)).toBeVisible();
  await takeRoleAway(request, first.userId);
  await page.getByRole('button', { name: `Delete ${first.email}` }).click();
  await expect(page.getByText('This admin user no longer exists. Someone else deleted it.')).toBeVisible();
  await expect(rowOf(page, first.email)).toBeHidden();

  await expect(rowOf(page, me.email)).toContainText('Only another super admin can remove you');
  await takeRoleAway(request, me.userId);
  await page.getByRole('button', { name: `Delete ${second.email}` }).click();
  await expect(page.getByText('You need superadmin privileges').first()).toBeVisible();
  await expect(page).toHaveURL(/\/admin\/login$/);
  const still = await browserOf(browser, second);
  await still.goto('/admin');
  await expect(still.getByRole('heading', { name: 'Admin dashboard' })).toBeVisible();
});

test('superadmins have five tabs, and approve and delete in their own panel', async ({ page, request }) => {
  const me = await newInfluencer(request);
  await openAs(page, await newStaff(request, 'superadmin'), '/admin');
  await page.getByRole('link', { name: 'Super Admin' }).click();
  await expect(page.getByRole('tab')).toHaveText([
    /^Pre-Approved/,
    /^Influencers/,
    /^Agencies/,
    /^Admins/,
    'Create Admin',
  ]);
  await page.getByRole('searchbox', { name: 'Search accounts' }).fill(me.email);
  await page.getByRole('link', { name: me.name, exact: true }).click();
  await page.getByRole('link', { name: 'Back to super admin panel' }).click();
  await page.getByRole('button', { name: `Approve ${me.name}` }).click();
  await expect(page.getByText('Influencer account approved')).toBeVisible();
  await page.getByRole('tab', { name: /^Influencers/ }).click();
  await page.getByRole('button', { name: `Delete ${me.name}` }).click();
  await page.getByRole('button', { name: 'Delete profile' }).click();
  await expect(page.getByText('Influencer profile deleted')).toBeVisible();
  await expect(rowOf(page, me.name)).toBeHidden();
});

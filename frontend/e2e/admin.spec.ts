import { expect } from '@playwright/test';
import { expectAccessible } from './accessibility';
import { demo, signIn, signInAsAdmin, somebodyNew } from './people';
import { test } from './test';

test('visitors and influencers do not get in', async ({ page }) => {
  await page.goto('/admin');
  await expect(page).toHaveURL(/\/admin\/login$/);
  await signIn(page, '/admin/login', demo('influencer'));
  await expect(page.getByRole('alert').filter({ hasText: "You don't have admin privileges" })).toBeVisible();
  await page.goto('/admin');
  await expect(page).toHaveURL(/\/admin\/login$/);
  await signIn(page, '/admin/login', demo('admin'), 'wrong-password');
  await expect(page.getByRole('alert').filter({ hasText: 'Login failed' })).toContainText('Invalid login credentials');
});

test('an influencer who is signed in is refused at the admin area', async ({ page }) => {
  await signIn(page, '/auth', demo('influencer'));
  await expect(page).toHaveURL(/\/dashboard$/);
  await page.goto('/admin');
  await expect(page.getByText('You need admin privileges')).toBeVisible();
  await expect(page).toHaveURL(/\/admin\/login$/);
});

test('an admin deletes a profile after a question', async ({ page, browser }) => {
  const me = somebodyNew();
  const own = await (await browser.newContext()).newPage();
  await own.goto('/auth');
  await own.getByRole('tab', { name: 'Sign Up' }).click();
  await own.getByLabel('E-mail').fill(me.email);
  await own.getByLabel('Password', { exact: true }).fill('rahsia88');
  await own.getByRole('button', { name: 'Sign Up' }).click();
  await own.getByRole('textbox', { name: 'Name', exact: true }).fill(me.name);
  await own.getByRole('textbox', { name: 'Username' }).fill(me.username);
  await own.getByLabel('Category').click();
  await own.getByRole('option', { name: 'Beauty' }).click();
  await own.getByRole('button', { name: 'Save Profile' }).click();
  await expect(own.getByText('Profile saved successfully!')).toBeVisible();

  await signInAsAdmin(page);
  await expect(page.getByText(me.email)).toBeVisible();
  await page.getByRole('button', { name: `Delete ${me.name}` }).click();
  const question = page.getByRole('alertdialog', { name: 'Delete this profile?' });
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByText(me.email)).toBeVisible();
  await page.getByRole('button', { name: `Delete ${me.name}` }).click();
  await question.getByRole('button', { name: 'Delete profile' }).click();
  await expect(page.getByText('Influencer profile deleted')).toBeVisible();
  await expect(page.getByText(me.email)).toBeHidden();
});

test('the superadmin has a way to the super admin panel, an admin has not', async ({ page, browser }) => {
  await signInAsAdmin(page);
  await expect(page.getByRole('link', { name: 'Super Admin' })).toBeHidden();
  await page.getByRole('button', { name: 'Logout' }).click();
  await expect(page.getByText('Logged out successfully')).toBeVisible();
  const other = await (await browser.newContext()).newPage();
  await signIn(other, '/admin/login', demo('superadmin'));
  await expect(other.getByRole('link', { name: 'Super Admin' })).toBeVisible();
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`the admin dashboard shuts nobody out (${colorScheme})`, async ({ page }) => {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await signInAsAdmin(page);
    await expect(page.getByRole('row').nth(1)).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('tab', { name: /^Influencers/ }).click();
    await expect(page.getByRole('row').nth(1)).toBeVisible();
    await expectAccessible(page);
  });
}

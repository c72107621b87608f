// The admin area: admission, a deletion, and accessibility. src/components/portal-guard.test.tsx and
// src/features/auth/portal-page.test.tsx test every rejection.
import { expect } from '@playwright/test';
import { expectAccessibleInBoth } from './accessibility';
import { newInfluencer, signedIn } from './accounts';
import { demo, signIn } from './people';
import { newStaff, openAs, rowOf } from './staff';
import { test } from './test';

test('influencers are rejected', async ({ page, request }) => {
  await page.goto('/admin');
  await expect(page).toHaveURL(/\/admin\/login$/);
  await signIn(page, '/admin/login', demo('influencer'));
  await expect(page.getByRole('alert').filter({ hasText: "You don't have admin privileges" })).toBeVisible();
  await openAs(page, await signedIn(request, demo('influencer')), '/admin');
  await expect(page.getByText('You need admin privileges')).toBeVisible();
  await expect(page).toHaveURL(/\/admin\/login$/);
});

test('an admin deletes a profile after confirming, and has no link to the super admin panel', async ({
  page,
  request,
}) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const me = await newInfluencer(request);
  await openAs(page, await newStaff(request), '/admin');
  await expect(page.getByRole('row').nth(1)).toBeVisible();
  await expect(page.getByRole('link', { name: 'Super Admin' })).toBeHidden();
  await expectAccessibleInBoth(page);
  await expect(rowOf(page, me.name)).toContainText(me.email);
  await page.getByRole('button', { name: `Delete ${me.name}` }).click();
  const question = page.getByRole('alertdialog', { name: 'Delete this profile?' });
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByText(me.email)).toBeVisible();
  await page.getByRole('button', { name: `Delete ${me.name}` }).click();
  await question.getByRole('button', { name: 'Delete profile' }).click();
  await expect(page.getByText('Influencer profile deleted')).toBeVisible();
  await expect(page.getByText(me.email)).toBeHidden();
  await page.getByRole('button', { name: 'Logout' }).click();
  await expect(page.getByText('Logged out successfully')).toBeVisible();
});

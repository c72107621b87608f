// Second factors: an admin adds one and signs in with it, and a superadmin resets another's.
import { type Dialog, expect, type Page } from '@playwright/test';
import { expectAccessibleInBoth, expectNoSidewaysScroll } from './accessibility';
import { newInfluencer } from './accounts';
import { codeOf, wrongCode } from './authenticator';
import { mailsTo } from './mailbox';
import { PASSWORD, signIn } from './people';
import { browserOf, newStaff, openAs, rowOf } from './staff';
import { test } from './test';

/** Adds an app on the security page. Returns its key and the recovery codes. */
async function addApp(page: Page) {
  await page.getByRole('button', { name: 'Add an authenticator app' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add an authenticator app' });
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await expect(dialog.getByRole('img', { name: 'QR code for your authenticator app' })).toBeVisible();
  const secret = (await dialog.locator('code').innerText()).replaceAll(' ', '');
  await dialog.getByLabel('Code').fill(codeOf(secret));
  await dialog.getByRole('button', { name: 'Verify' }).click();
  const saved = page.getByRole('dialog', { name: 'Save your recovery codes' });
  await expect(saved.getByRole('listitem')).toHaveCount(10);
  return { secret, codes: await saved.getByRole('listitem').allInnerTexts(), saved };
}

test('an admin adds an app, signs in with a recovery code and removes the app', async ({ page, request }) => {
  const admin = await newStaff(request);
  await openAs(page, admin, '/account/security');
  await expect(page.getByRole('heading', { name: 'No second factor yet' })).toBeVisible();
  // An abandoned attempt doesn't reserve the name.
  await page.getByRole('button', { name: 'Add an authenticator app' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByRole('img', { name: 'QR code for your authenticator app' })).toBeVisible();
  await page.keyboard.press('Escape');
  const { secret, codes, saved } = await addApp(page);
  const file = page.waitForEvent('download');
  await saved.getByRole('button', { name: 'Download' }).click();
  expect((await file).suggestedFilename()).toBe('serasi-recovery-codes.txt');
  await saved.getByRole('button', { name: 'I saved them' }).click();
  await expect(page.getByText('10 codes left.')).toBeVisible();
  await expect(page.getByRole('listitem').getByText('My phone')).toBeVisible();

  await page.getByRole('button', { name: 'Account menu' }).click();
  await page.getByRole('menuitem', { name: 'Logout' }).click();
  await signIn(page, '/admin/login', admin.email);
  await expect(page.getByRole('heading', { name: 'Enter your code' })).toBeVisible();
  // The session has passed only the first step, so the admin pages redirect here.
  await page.goto('/admin');
  await expect(page.getByRole('heading', { name: 'Enter your code' })).toBeVisible();
  await expect(page.getByLabel('Code')).toBeFocused();
  await page.getByLabel('Code').fill(wrongCode(secret));
  await page.keyboard.press('Enter');
  await expect(page.getByText("This code isn't right, or it was already used.")).toBeVisible();
  await page.getByRole('button', { name: 'Use a recovery code' }).click();
  await page.getByLabel('Recovery code').fill(codes[0] ?? '');
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByRole('heading', { name: 'Admin dashboard' })).toBeVisible();

  await page.goto('/account/security');
  await expect(page.getByText('9 codes left.')).toBeVisible();
  await page.getByRole('button', { name: 'Remove My phone' }).click();
  const dialog = page.getByRole('dialog', { name: 'Remove My phone' });
  // The current code was used to add the app.
  await dialog.getByLabel('Code').fill(codeOf(secret, 1));
  await dialog.getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByRole('heading', { name: 'No second factor yet' })).toBeVisible();
  await page.goto('/admin');
  await expect(page.getByRole('heading', { name: 'Admin dashboard' })).toBeVisible();
});

test("a superadmin resets an admin's factor", async ({ page, browser, request }) => {
  const admin = await newStaff(request);
  const other = await browserOf(browser, admin);
  await other.goto('/account/security');
  await addApp(other);

  await openAs(page, await newStaff(request, 'superadmin'), '/superadmin?tab=admins');
  const row = rowOf(page, admin.email);
  await expect(row.getByText('Second factor')).toBeVisible();
  page.once('dialog', (question: Dialog) => {
    expect(question.message()).toContain(`Reset the second factor of ${admin.email}?`);
    void question.accept();
  });
  await row.getByRole('button', { name: `Reset the second factor of ${admin.email}` }).click();
  await expect(page.getByText('Second factor reset')).toBeVisible();
  await expect(row.getByText('Second factor')).toBeHidden();
  await page.goto('/superadmin/audit');
  await expect(rowOf(page, admin.email).filter({ hasText: 'Reset second factor' })).toBeVisible();
  await expect
    .poll(async () => (await mailsTo(request, admin.email)).map(({ subject }) => subject))
    .toContain('Your second factor was reset');

  // The tab still has the token of the session that ended.
  await other.evaluate(() => localStorage.removeItem('serasi-session'));
  await signIn(other, '/admin/login', admin.email);
  await expect(other.getByRole('heading', { name: 'Admin dashboard' })).toBeVisible();
});

test('a member adds an app on a phone and signs in with it', async ({ page, request }) => {
  const member = await newInfluencer(request);
  await openAs(page, member, '/account/security');
  await expect(page.getByRole('heading', { name: 'No second factor yet' })).toBeVisible();
  await expectNoSidewaysScroll(page, [360]);
  const { secret, saved } = await addApp(page);
  await expectAccessibleInBoth(page);
  await saved.getByRole('button', { name: 'I saved them' }).click();
  await expectAccessibleInBoth(page);
  await expectNoSidewaysScroll(page, [360, 1280]);

  await page.evaluate(() => localStorage.removeItem('serasi-session'));
  await signIn(page, '/auth', member.email, PASSWORD);
  await expectAccessibleInBoth(page);
  await page.getByLabel('Code').fill(codeOf(secret, 1));
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page).toHaveURL(/\/dashboard$/);
});

// The influencer's form in the browser: a rejected save, a successful one, and every way to leave.
// src/features/profile-editor/editor.test.tsx tests its rules.
import { expect } from '@playwright/test';
import { newInfluencer, startSession } from './accounts';
import { addPhotos, fillRequired, newAccount, opened, openTab, recordOf, save, saved } from './dashboard';
import { test } from './test';

test('an error opens its tab, a taken username is shown at its field, then everything is stored', async ({
  page,
  request,
}) => {
  const me = await newAccount(request);
  await startSession(page, me);
  await page.goto('/dashboard');
  await opened(page);
  await openTab(page, 'Payment');
  await page.getByLabel('Bank name').fill('Bank Rakyat');
  await save(page);
  await expect(page.getByRole('textbox', { name: 'Name', exact: true })).toBeFocused();
  await expect(page.getByText('Name is required').first()).toBeVisible();
  await expect(page.getByText('Username is required')).toBeHidden();

  // In any letter case.
  await fillRequired(page, me.name, 'SOFEA.styled');
  await page.getByRole('button', { name: 'Choose the date of birth' }).click();
  await page.getByRole('combobox', { name: /year/i }).selectOption('1999');
  await page.getByRole('gridcell').getByText('14', { exact: true }).first().click();
  await expect(page.getByText(`Age ${new Date().getFullYear() - 1999}. Only your age is shown.`)).toBeVisible();
  await save(page);
  await expect(page.getByText('This username is already taken').first()).toBeVisible();
  await page.getByRole('textbox', { name: 'Username' }).fill(me.username);
  await saved(page);
  expect(await recordOf(request, me)).toMatchObject({
    name: me.name,
    username: me.username,
    category: 'Tech',
    date_of_birth: expect.stringMatching(/^1999-\d\d-14$/),
    payment_info: { payment_method: 'bank', bank_name: 'Bank Rakyat' },
  });
});

test('leaving asks first while something is not saved', async ({ page, request }) => {
  await startSession(page, await newInfluencer(request));
  await page.goto('/dashboard');
  await opened(page);
  await page.getByLabel('Height').fill('162 cm');
  await expect(page.getByText('Unsaved changes')).toBeVisible();
  await page.getByRole('link', { name: 'Main Page' }).click();
  const question = page.getByRole('alertdialog', { name: 'Save before you leave?' });
  await expect(question.getByText('Height')).toBeVisible();
  await question.getByRole('button', { name: 'Stay' }).click();
  await expect(page.getByLabel('Height')).toHaveValue('162 cm');

  await page.getByRole('link', { name: 'Main Page' }).click();
  await question.getByRole('button', { name: 'Save and leave' }).click();
  await expect(page.getByText('Profile saved successfully!')).toBeVisible();
  await expect(page).toHaveURL(/\/$/);

  await page.getByRole('link', { name: 'Dashboard' }).click();
  await page.getByLabel('Bio').fill('never saved');
  await page.getByRole('link', { name: 'Main Page' }).click();
  await question.getByRole('button', { name: 'Leave without saving' }).click();
  await expect(page).toHaveURL(/\/$/);
  await page.getByRole('link', { name: 'Dashboard' }).click();
  await expect(page.getByLabel('Height')).toHaveValue('162 cm');
  await expect(page.getByLabel('Bio')).toHaveValue('');

  await page.getByLabel('Bio').fill('still not saved');
  await page.goBack();
  await expect(question.getByText('Bio')).toBeVisible();
  await question.getByRole('button', { name: 'Stay' }).click();
  await expect(page.getByLabel('Bio')).toHaveValue('still not saved');
});

test('a file that only claims to be a picture is not stored, and the save continues', async ({ page, request }) => {
  const me = await newAccount(request);
  await startSession(page, me);
  await page.goto('/dashboard');
  await opened(page);
  await fillRequired(page, me.name, me.username);
  await openTab(page, 'Content');
  const fake = { name: 'fake.png', mimeType: 'image/png', buffer: Buffer.from('<svg onload="alert(1)"/>') };
  await addPhotos(page, fake);
  await expect(page.getByText('1 of 8')).toBeVisible();
  await save(page);
  const tile = page.getByRole('group', { name: 'Content photos' }).getByText('Failed to upload content image');
  await expect(tile).toBeVisible();
  await expect(page.getByText('Profile saved successfully!')).toBeVisible();
  await expect(page.getByText('1 picture is not uploaded yet')).toBeVisible();
  await page.getByRole('button', { name: 'Remove photo 1' }).click();
  await expect(page.getByText('0 of 8')).toBeVisible();
  await expect(page.getByText('All changes saved')).toBeVisible();
});

import { expect, type Page } from '@playwright/test';
import { expectAccessible } from './accessibility';
import { somebodyNew } from './people';
import { test } from './test';

async function signUp(page: Page) {
  const me = somebodyNew();
  await page.goto('/auth');
  await page.getByRole('tab', { name: 'Sign Up' }).click();
  await page.getByLabel('E-mail').fill(me.email);
  await page.getByLabel('Password', { exact: true }).fill('rahsia88');
  await page.getByRole('button', { name: 'Sign Up' }).click();
  await expect(page.getByRole('heading', { name: 'Pending Approval' })).toBeVisible();
  return me;
}

async function fillRequired(page: Page, name: string, username: string) {
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill(name);
  await page.getByRole('textbox', { name: 'Username' }).fill(username);
  await page.getByLabel('Category').click();
  await page.getByRole('option', { name: 'Tech' }).click();
}

const save = (page: Page) => page.getByRole('button', { name: 'Save Profile' }).click();

test('the first broken rule opens its tab and gets the focus', async ({ page }) => {
  await signUp(page);
  await page.getByRole('tab', { name: 'Payment' }).click();
  await save(page);
  await expect(page.getByRole('textbox', { name: 'Name', exact: true })).toBeFocused();
  await expect(page.getByText('Name is required').first()).toBeVisible();
  await expect(page.getByText('Username is required')).toBeHidden();

  await fillRequired(page, 'Lim', 'lim');
  await page.getByRole('tab', { name: 'Social Media' }).click();
  await page.getByRole('switch', { name: 'YouTube' }).click();
  await page.getByLabel('Profile link').fill('youtube/lim');
  await save(page);
  await expect(page.getByText('Enter a full link, starting with https://').first()).toBeVisible();
});

test('a taken username is told at its field, in any case', async ({ page }) => {
  const me = await signUp(page);
  await fillRequired(page, me.name, 'SOFEA.styled');
  await save(page);
  await expect(page.getByText('This username is already taken').first()).toBeVisible();
  await page.getByRole('textbox', { name: 'Username' }).fill(me.username);
  await save(page);
  await expect(page.getByText('Profile saved successfully!')).toBeVisible();
});

test('leaving asks while something is not saved', async ({ page }) => {
  const me = await signUp(page);
  await fillRequired(page, me.name, me.username);
  await expect(page.getByText('Unsaved changes')).toBeVisible();
  await page.getByRole('link', { name: 'Main Page' }).click();
  const question = page.getByRole('alertdialog', { name: 'Save before you leave?' });
  await expect(question.getByText('Username')).toBeVisible();
  await question.getByRole('button', { name: 'Stay' }).click();
  await expect(page.getByRole('textbox', { name: 'Username' })).toHaveValue(me.username);

  await page.getByRole('link', { name: 'Main Page' }).click();
  await question.getByRole('button', { name: 'Save and leave' }).click();
  await expect(page.getByText('Profile saved successfully!')).toBeVisible();
  await expect(page).toHaveURL(/\/$/);

  await page.goto('/dashboard');
  await page.getByLabel('Bio').fill('never saved');
  await page.getByRole('link', { name: 'Main Page' }).click();
  await question.getByRole('button', { name: 'Leave without saving' }).click();
  await expect(page).toHaveURL(/\/$/);
  await page.goto('/dashboard');
  await expect(page.getByLabel('Bio')).toHaveValue('');

  await page.getByLabel('Bio').fill('still not saved');
  await page.goBack();
  await expect(question.getByText('Bio')).toBeVisible();
  await question.getByRole('button', { name: 'Stay' }).click();
  await expect(page.getByLabel('Bio')).toHaveValue('still not saved');
});

test('switching a platform off clears it', async ({ page }) => {
  await signUp(page);
  await page.getByRole('tab', { name: 'Social Media' }).click();
  const tiktok = page.getByRole('switch', { name: 'TikTok' });
  await tiktok.click();
  await page.getByLabel('Followers').fill('12K');
  await tiktok.click();
  await tiktok.click();
  await expect(page.getByLabel('Followers')).toHaveValue('');
});

test('the ninth photo is refused, other files are too', async ({ page }) => {
  await signUp(page);
  await page.getByRole('tab', { name: 'Content' }).click();
  const input = page.locator('input[type=file][aria-label="Add photos"]');
  await input.setInputFiles({ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('no picture') });
  await expect(page.getByText('notes.txt is not a picture')).toBeVisible();
  await input.setInputFiles(Array<string>(7).fill('e2e/fixtures/work.jpg'));
  await expect(page.getByText('7 of 8')).toBeVisible();
  await input.setInputFiles(Array<string>(2).fill('e2e/fixtures/work.jpg'));
  await expect(page.getByText('Maximum 8 content photos allowed')).toBeVisible();
  await input.setInputFiles('e2e/fixtures/work.jpg');
  await expect(page.getByText('8 of 8')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Add photos' })).toBeHidden();
  await page.getByRole('button', { name: 'Remove photo 8' }).click();
  await expect(page.getByText('1 place left')).toBeVisible();
});

test('a picture that is none is not stored, and the save goes on', async ({ page }) => {
  const me = await signUp(page);
  await fillRequired(page, me.name, me.username);
  await page.getByRole('tab', { name: 'Content' }).click();
  const input = page.locator('input[type=file][aria-label="Add photos"]');
  await input.setInputFiles({
    name: 'fake.png',
    mimeType: 'image/png',
    buffer: Buffer.from('<svg onload="alert(1)"/>'),
  });
  await expect(page.getByText('1 of 8')).toBeVisible();
  await save(page);
  const tile = page.getByRole('group', { name: 'Content photos' }).getByText('Failed to upload content image');
  await expect(tile).toBeVisible();
  await expect(page.getByText('Profile saved successfully!')).toBeVisible();
  await expect(page.getByText('1 picture is not stored yet')).toBeVisible();
  await page.getByRole('button', { name: 'Remove photo 1' }).click();
  await expect(page.getByText('0 of 8')).toBeVisible();
  await expect(page.getByText('All changes saved')).toBeVisible();
});

test('the preview shows placeholders, then what was typed', async ({ page }) => {
  const me = await signUp(page);
  await page.getByRole('button', { name: 'Preview Profile' }).click();
  const preview = page.getByRole('dialog', { name: 'Preview Profile' });
  for (const text of ['Your Name', '@username', 'Category']) await expect(preview.getByText(text)).toBeVisible();
  await page.keyboard.press('Escape');
  await fillRequired(page, me.name, me.username);
  await page.getByRole('button', { name: 'Preview Profile' }).click();
  await expect(preview.getByText(me.name)).toBeVisible();
});

test('the birth date gives the age, and the bio counts', async ({ page }) => {
  await signUp(page);
  await page.getByLabel('Bio').fill('x'.repeat(116));
  await expect(page.getByText('116 / 500')).toBeVisible();
  const birth = page.getByLabel('Date of birth', { exact: true });
  await page.getByRole('button', { name: 'Choose the date of birth' }).click();
  await page.getByRole('combobox', { name: /year/i }).selectOption('1999');
  await page.getByRole('gridcell').getByText('14', { exact: true }).first().click();
  const age = new Date().getFullYear() - 1999;
  await expect(page.getByText(`Age ${age}. Only your age is shown.`)).toBeVisible();

  await birth.fill('3/2/2001');
  await birth.blur();
  await expect(birth).toHaveValue('3 Feb 2001');
  await expect(page.getByText(`Age ${age - 2}.`)).toBeVisible();
  for (const [typed, message] of [
    ['31 Dec 1899', "Date of birth can't be before 1 Jan 1900"],
    [`1/1/${new Date().getFullYear() + 1}`, "Date of birth can't be in the future"],
    ['the fifth of May', 'Enter a date such as 14 Mar 1999'],
  ] as const) {
    await birth.fill(typed);
    await birth.blur();
    await expect(page.getByText(message)).toBeVisible();
  }
  await expect(birth).toHaveValue('the fifth of May');
  await birth.fill('');
  await birth.blur();
  await expect(page.getByText('Enter a date such as')).toBeHidden();
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`the dashboard shuts nobody out (${colorScheme})`, async ({ page }) => {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await signUp(page);
    for (const tab of ['Basic Info', 'Social Media', 'Services', 'Content', 'Payment']) {
      await page.getByRole('tab', { name: tab }).click();
      await expect(page.getByRole('heading', { name: tab })).toBeVisible();
      await expectAccessible(page);
    }
    await page.setViewportSize({ width: 360, height: 800 });
    const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    await expect.poll(overflow).toBeLessThanOrEqual(0);
  });
}

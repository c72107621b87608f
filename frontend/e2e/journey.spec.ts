import { expect } from '@playwright/test';
import { signInAsAdmin, somebodyNew } from './people';
import { test } from './test';

const picture = (name: string) => `e2e/fixtures/${name}.jpg`;

test('an influencer signs up, completes the profile, is approved and found', async ({ page, browser }) => {
  const me = somebodyNew();

  await test.step('signs up', async () => {
    await page.goto('/auth');
    await page.getByRole('tab', { name: 'Sign Up' }).click();
    await page.getByLabel('E-mail').fill(me.email);
    await page.getByLabel('Password', { exact: true }).fill('rahsia88');
    await page.getByRole('button', { name: 'Sign Up' }).click();
    await expect(page.getByText('Account created successfully! You can now sign in.')).toBeVisible();
    await expect(page).toHaveURL(/\/dashboard$/);
    await expect(page.getByRole('heading', { name: 'Pending Approval' })).toBeVisible();
  });

  await test.step('fills Basic Info with pictures', async () => {
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill(me.name);
    await page.getByRole('textbox', { name: 'Username' }).fill(me.username);
    await page.getByLabel('Category').click();
    await page.getByRole('option', { name: 'Travel' }).click();
    await page.getByLabel('Location').fill('Kuching, Sarawak');
    await page.getByLabel('Bio').fill('River trips and longhouse kitchens.');
    for (const [button, file] of [
      ['Change cover', 'landscape'],
      ['Change photo', 'portrait'],
    ] as const) {
      await page.locator(`input[type=file][aria-label="${button}"]`).setInputFiles(picture(file));
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('button', { name: 'Zoom in' }).click();
      await dialog.getByRole('button', { name: 'Apply' }).click();
      await expect(dialog).toBeHidden();
    }
    await expect(page.getByText('Image repositioned').first()).toBeVisible();
    await page.getByLabel('Ethnicity').click();
    await page.getByRole('option', { name: 'Bidayuh' }).click();
  });

  await test.step('fills the other four tabs', async () => {
    await page.getByRole('tab', { name: 'Social Media' }).click();
    await page.getByRole('switch', { name: 'Instagram' }).click();
    await page.getByLabel('Profile link').fill('https://instagram.test/nadia');
    await page.getByLabel('Followers').fill('64K');

    await page.getByRole('tab', { name: 'Services' }).click();
    await page.getByLabel('Title').fill('River reel');
    await expect(page.getByRole('button', { name: 'Add service' })).toBeDisabled();
    await page.getByLabel('Description').fill('One vertical video with subtitles.');
    await page.getByLabel('Price').fill('RM 1,500');
    await page.getByRole('button', { name: 'Add service' }).click();

    await page.getByRole('tab', { name: 'Content' }).click();
    await page
      .locator('input[type=file][aria-label="Add photos"]')
      .setInputFiles([picture('work'), picture('landscape')]);
    await expect(page.getByText('2 of 8')).toBeVisible();
    await expect(page.getByText('Not saved yet')).toHaveCount(2);

    await page.getByRole('tab', { name: 'Payment' }).click();
    await page.getByLabel('Bank name').fill('Bank Contoh');
    await page.getByLabel('Account number').fill('0000 1234');
  });

  await test.step('saves, and everything is there after a reload', async () => {
    await page.getByRole('button', { name: 'Save Profile' }).click();
    await expect(page.getByText('Profile saved successfully!')).toBeVisible();
    await page.reload();
    await expect(page.getByRole('heading', { name: 'Pending Approval' })).toBeVisible();
    await expect(page.getByLabel('Bio')).toHaveValue('River trips and longhouse kitchens.');
    await page.getByRole('tab', { name: 'Content' }).click();
    await expect(page.getByText('2 of 8')).toBeVisible();
    await expect(page.getByText('Not saved yet')).toHaveCount(0);
    await page.getByRole('tab', { name: 'Payment' }).click();
    await expect(page.getByLabel('Bank name')).toHaveValue('Bank Contoh');
  });

  const visitor = await (await browser.newContext()).newPage();
  await test.step('is hidden from visitors before approval', async () => {
    await visitor.goto(`/search?q=${encodeURIComponent(me.username)}`);
    await expect(visitor.getByText('No influencers found matching your criteria.')).toBeVisible();
  });

  await test.step('an admin approves', async () => {
    const admin = await (await browser.newContext()).newPage();
    await signInAsAdmin(admin);
    await expect(admin.getByText(me.email)).toBeVisible();
    await admin.getByRole('button', { name: `Approve ${me.name}` }).click();
    await expect(admin.getByText('Influencer account approved')).toBeVisible();
    await expect(admin.getByRole('button', { name: `Approve ${me.name}` })).toBeHidden();
    await admin.getByRole('tab', { name: /^Influencers/ }).click();
    await expect(admin.getByRole('link', { name: me.name, exact: true })).toBeVisible();
  });

  await test.step('a visitor finds the profile and opens it', async () => {
    await visitor.goto(`/search?q=${encodeURIComponent(me.username)}`);
    await expect(visitor.getByText('Found 1 influencer', { exact: true })).toBeVisible();
    await visitor.getByRole('link', { name: me.name }).click();
    await expect(visitor).toHaveURL(/\/profile\//);
    await expect(visitor.getByRole('heading', { name: `@${me.username}` })).toBeVisible();
    await expect(visitor.getByRole('heading', { name: 'Services I Provide' })).toBeVisible();
    await expect(visitor.getByText('RM 1,500')).toBeVisible();
    await expect(visitor.getByText('64K').first()).toBeVisible();
    const portrait = visitor.getByRole('img', { name: me.name, exact: true });
    await expect.poll(() => portrait.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
    await expect(visitor.getByText('Bank Contoh')).toHaveCount(0);
  });

  await test.step("the influencer's profile is no longer pending", async () => {
    await page.reload();
    await expect(page.getByLabel('Bio')).toBeVisible();
    await expect(page.getByRole('heading', { name: 'Pending Approval' })).toBeHidden();
  });
});

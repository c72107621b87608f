// A storage service that crashes during an upload, and one without space: no input is lost.
import { type APIRequestContext, expect, type Page } from '@playwright/test';
import { startSession } from './accounts';
import { addPhotos, fillRequired, newAccount, opened, openTab, recordOf, save, saved } from './dashboard';
import { large } from './large-picture';
import { type OwnStorage, ownStorage } from './own-storage';
import { test } from './test';

const toast = (page: Page, text: string) => page.getByRole('region', { name: /Notifications/ }).getByText(text);

/** Saves a cover, then types a bio and adds a photo of this many bytes. */
async function withUnsavedPhoto(page: Page, request: APIRequestContext, storage: OwnStorage, bytes: number) {
  const me = await newAccount(request);
  await startSession(page, me);
  await page.goto(`${storage.url}/dashboard`);
  await opened(page);
  await fillRequired(page, me.name, me.username);
  await page.locator('input[type=file][aria-label="Change cover"]').setInputFiles('e2e/fixtures/landscape.jpg');
  await page.getByRole('button', { name: 'Apply' }).click();
  await saved(page);
  const { cover_image } = await recordOf(request, me);
  expect(cover_image).toContain(`/images/${me.userId}/cover-`);

  await page.getByLabel('Bio').fill('Saved all the same');
  await openTab(page, 'Content');
  await addPhotos(page, large(bytes));
  await expect(page.getByText('1 of 8')).toBeVisible();
  const without = { bio: 'Saved all the same', cover_image, content_posts: [] };
  return { me, without };
}

test('when the storage service is killed or full, the rest is saved and nothing is lost', async ({
  page,
  request,
  baseURL,
}) => {
  const storage = await ownStorage(baseURL ?? '', { STORAGE_QUOTA_MB: '1' });
  try {
    const { me, without } = await withUnsavedPhoto(page, request, storage, 400_000);
    storage.dieAfter(50_000);
    await save(page);
    await expect(toast(page, 'Failed to upload content image')).toBeVisible();
    await expect(async () => expect(await recordOf(request, me)).toMatchObject(without)).toPass();
    await expect(page.getByText('1 picture is not uploaded yet')).toBeVisible();

    await storage.startAgain();
    await page.getByRole('button', { name: 'Retry photo 1' }).click();
    await expect(page.getByRole('button', { name: 'Retry photo 1' })).toBeHidden();
    await expect(async () => expect((await recordOf(request, me)).content_posts).toHaveLength(1)).toPass();

    await addPhotos(page, large(1_400_000));
    await openTab(page, 'Basic Info');
    await page.getByLabel('Bio').fill('Saved without the picture');
    await save(page);
    await expect(toast(page, 'Your storage is full.')).toBeVisible();
    await expect(page.getByText('1 picture is not uploaded yet')).toBeVisible();
    await expect(async () => {
      const record = await recordOf(request, me);
      expect(record.bio).toBe('Saved without the picture');
      expect(record.content_posts).toHaveLength(1);
    }).toPass();

    // There is room for a smaller picture.
    await openTab(page, 'Content');
    await page.getByRole('button', { name: 'Remove photo 2' }).click();
    await addPhotos(page, large(200_000));
    await saved(page);
    await expect(async () => expect((await recordOf(request, me)).content_posts).toHaveLength(2)).toPass();
  } finally {
    await storage.close();
  }
});

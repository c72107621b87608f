// The gallery's eight places: adding, sorting, replacing, removing and rejecting images.
import { expect, type Page } from '@playwright/test';
import { startSession } from './accounts';
import { newAgency, recordOf, save, withRecord } from './businesses';
import { test } from './test';

const WORK = 'e2e/fixtures/work.jpg';
const SAVED = 'Agency profile saved successfully!';

const add = (page: Page, place: number, files: Parameters<ReturnType<Page['locator']>['setInputFiles']>[0]) =>
  page.locator(`input[type=file][aria-label="Add image to slot ${place}"]`).setInputFiles(files);

async function openGallery(page: Page, request: Parameters<typeof newAgency>[0]) {
  const me = await withRecord(request, 'agencies', await newAgency(request));
  await startSession(page, me);
  await page.goto('/agency-dashboard');
  await page.getByRole('tab', { name: 'Gallery' }).click();
  return me;
}

test('eight images keep their order, and a ninth is rejected', async ({ page, request }) => {
  const me = await openGallery(page, request);
  await expect(page.getByRole('button', { name: /^Add image Slot/ })).toHaveCount(8);
  await add(page, 1, Array<string>(7).fill(WORK));
  await expect(page.getByText('7 of 8')).toBeVisible();
  await add(page, 8, [WORK, WORK]);
  await expect(page.getByText('Maximum 8 gallery images allowed')).toBeVisible();
  await expect(page.getByText('8 of 8')).toBeVisible();
  await expect(page.getByRole('button', { name: /^Add image Slot/ })).toHaveCount(0);
  await save(page);
  await expect(page.getByText(SAVED)).toBeVisible({ timeout: 30_000 });
  const { gallery } = await recordOf(request, 'agencies', me);
  expect(gallery).toHaveLength(8);
  gallery.forEach((url: string, index: number) => {
    expect(url).toMatch(new RegExp(`/images/${me.userId}/gallery-${index}-\\d+\\.jpg$`));
  });
  const ninth = await request.patch(`/rest/v1/agencies?user_id=eq.${me.userId}`, {
    headers: me.headers,
    data: { gallery: [...gallery, gallery[0]] },
  });
  expect(ninth.status()).toBe(400);
  await page.goto(`/agency/${me.id}`);
  await expect(page.getByRole('img', { name: /picture \d of 8$/ })).toHaveCount(8);
});

test('images are moved by keyboard and mouse, replaced, removed, and restored', async ({ page, request }) => {
  const me = await openGallery(page, request);
  await add(page, 1, [WORK, 'e2e/fixtures/portrait.jpg', 'e2e/fixtures/landscape.jpg']);
  await expect(page.getByText('3 of 8')).toBeVisible();
  await save(page);
  await expect(page.getByText(SAVED)).toBeVisible();
  const { gallery: first } = await recordOf(request, 'agencies', me);

  await page.getByRole('button', { name: 'Move image 1, use the arrow keys' }).focus();
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('button', { name: 'Move image 2, use the arrow keys' })).toBeFocused();
  const [from, to] = [
    await page.getByRole('button', { name: 'Move image 3, use the arrow keys' }).boundingBox(),
    await page.getByRole('button', { name: 'Move image 1, use the arrow keys' }).boundingBox(),
  ];
  await page.mouse.move((from?.x ?? 0) + 10, (from?.y ?? 0) + 10);
  await page.mouse.down();
  await page.mouse.move((to?.x ?? 0) + 60, (to?.y ?? 0) + 40, { steps: 12 });
  // The first image has made room.
  await expect(page.locator('[data-slot=photos] > li').first()).toHaveAttribute('style', /translate3d\((?!0px, 0px)/);
  await page.mouse.up();
  await save(page);
  await expect(async () => {
    expect((await recordOf(request, 'agencies', me)).gallery).toEqual([first[2], first[1], first[0]]);
  }).toPass();

  await page.locator('input[type=file][aria-label="Replace image 2"]').setInputFiles(WORK);
  await page.getByRole('button', { name: 'Remove image 1' }).click();
  await expect(page.getByText('2 of 8')).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText('3 of 8')).toBeVisible();
  await page.getByRole('button', { name: 'Remove image 3' }).click();
  await save(page);
  await expect(async () => {
    const { gallery } = await recordOf(request, 'agencies', me);
    expect(gallery).toHaveLength(2);
    expect(gallery[0]).toBe(first[2]);
    expect(first).not.toContain(gallery[1]);
  }).toPass();
});

test('an image that the server rejects is reported; the others are stored and the save continues', async ({
  page,
  request,
}) => {
  const me = await openGallery(page, request);
  const fake = { name: 'fake.png', mimeType: 'image/png', buffer: Buffer.from('<svg onload="alert(1)"/>') };
  await add(page, 1, WORK);
  await expect(page.getByText('1 of 8')).toBeVisible();
  await add(page, 2, fake);
  await expect(page.getByText('2 of 8')).toBeVisible();
  await page.getByRole('tab', { name: 'Basic Info' }).click();
  await page.getByRole('textbox', { name: 'Description' }).fill('Stored all the same');
  await save(page);
  await expect(page.getByText('Failed to upload gallery image').first()).toBeVisible();
  await expect(page.getByText(SAVED)).toBeVisible();
  const row = await recordOf(request, 'agencies', me);
  expect(row).toMatchObject({ description: 'Stored all the same' });
  expect(row.gallery).toHaveLength(1);
  await page.getByRole('tab', { name: 'Gallery' }).click();
  await expect(page.getByText('1 image failed')).toBeVisible();
  await page.getByRole('button', { name: 'Retry image 2' }).click();
  await expect(page.getByText('Failed to upload gallery image').first()).toBeVisible();
  await page.getByRole('button', { name: 'Remove image 2' }).click();
  await expect(page.getByText('1 of 8')).toBeVisible();
  await expect(page.getByText('All changes saved')).toBeVisible();
});

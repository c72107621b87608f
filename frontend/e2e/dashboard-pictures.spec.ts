// Pictures: chosen, dropped, pasted, positioned, sorted, removed and restored.
import { readFileSync } from 'node:fs';
import { expect, type Locator, type Page } from '@playwright/test';
import { expectAccessible, still } from './accessibility';
import { addPhotos, dashboardOfSomebody, openTab, recordOf, saved, WORK } from './dashboard';
import { test } from './test';

const PICTURE = readFileSync('e2e/fixtures/portrait.jpg').toString('base64');

/** The data that the browser provides for a drop or a paste. */
const hand = (target: Locator, how: 'drop' | 'paste', name: string, type = 'image/jpeg') =>
  target.evaluate(
    (element, { how, name, type, picture }) => {
      const bytes = Uint8Array.from(atob(picture), (letter) => letter.charCodeAt(0));
      const data = new DataTransfer();
      data.items.add(new File([bytes], name, { type }));
      const event =
        how === 'drop'
          ? new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true })
          : new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true });
      element.dispatchEvent(event);
    },
    { how, name, type, picture: PICTURE },
  );

const numbers = async (page: Page) =>
  page
    .getByRole('list')
    .filter({ has: page.getByRole('button', { name: /^Move photo/ }) })
    .locator('img')
    .evaluateAll((images) => images.map((image) => (image as HTMLImageElement).src));

/** The style of a photo that another one is dragged over. */
const MADE_ROOM = /translate3d\((?!0px, 0px)/;

const roomMade = async (page: Page) => {
  const styles = await page
    .locator('[data-slot=photos] > li:not([data-dragging])')
    .evaluateAll((photos) => photos.map((photo) => photo.getAttribute('style') ?? ''));
  return styles.some((style) => MADE_ROOM.test(style));
};

/** Stores three photos and returns their order. */
async function threePhotos(page: Page) {
  await openTab(page, 'Content');
  await addPhotos(page, [WORK, 'e2e/fixtures/portrait.jpg', 'e2e/fixtures/landscape.jpg']);
  await expect(page.getByText('3 of 8')).toBeVisible();
  await saved(page);
  await expect(page.getByText('Not saved yet')).toHaveCount(0);
  return numbers(page);
}

test('a cover is positioned with the keyboard, and a photo with the mouse in both its shapes', async ({
  page,
  request,
}) => {
  const me = await dashboardOfSomebody(page, request);
  await page.locator('input[type=file][aria-label="Change cover"]').setInputFiles('e2e/fixtures/portrait.jpg');
  const dialog = page.getByRole('dialog', { name: 'Reposition cover' });
  const frame = dialog.getByRole('application');
  await expect(frame).toHaveAccessibleName('Cover position: 50 percent across, 50 percent down');
  // Wait until the picture is loaded.
  await expect(dialog.getByRole('button', { name: 'Apply' })).toBeEnabled();
  await frame.focus();
  await page.keyboard.press('ArrowDown');
  await expect(frame).not.toHaveAccessibleName(/50 percent down/);
  const zoom = dialog.getByRole('slider', { name: 'Zoom' });
  await zoom.focus();
  await page.keyboard.press('End');
  await expect(dialog.getByText('300%')).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Reset' }).click();
  await expect(dialog.getByText('100%')).toBeVisible();
  await dialog.getByRole('button', { name: 'Apply' }).click();
  await expect(page.getByText('Image repositioned')).toBeVisible();
  expect((await recordOf(request, me)).cover_image).toBeNull();
  await saved(page);
  expect((await recordOf(request, me)).cover_image).toMatch(/\/cover-\d+\.webp$/);
  await page.getByRole('button', { name: /Reposition.*cover/ }).click();
  await expect(dialog).toBeVisible();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByText('All changes saved')).toBeVisible();

  await page.locator('input[type=file][aria-label="Change photo"]').setInputFiles('e2e/fixtures/landscape.jpg');
  const photo = page.getByRole('dialog', { name: 'Reposition photo' });
  for (const shape of ['On cards', 'Round']) await expect(photo.getByText(shape, { exact: true })).toBeVisible();
  const lefts = () =>
    photo.locator('[data-slot=cut] img').evaluateAll((all) => all.map((one) => (one as HTMLElement).style.left));
  const before = await lefts();
  await still(page);
  const box = await photo.getByRole('application').boundingBox();
  if (!box) throw new Error('no frame');
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x - 60, y, { steps: 5 });
  await page.mouse.up();
  const moved = async () => (await lefts()).map((left, index) => left !== before[index]);
  await expect.poll(moved).toEqual([true, true, true]);
});

test('dropped and pasted pictures are accepted and scaled down; other files are rejected with a reason', async ({
  page,
  request,
}) => {
  const me = await dashboardOfSomebody(page, request);
  await hand(page.getByRole('group', { name: 'Cover' }), 'drop', 'sea.jpg');
  await page.getByRole('dialog', { name: 'Reposition cover' }).getByRole('button', { name: 'Cancel' }).click();
  await hand(page.locator('body'), 'paste', 'me.jpg');
  await page.getByRole('dialog', { name: 'Reposition photo' }).getByRole('button', { name: 'Cancel' }).click();

  await openTab(page, 'Content');
  const area = page.getByRole('group', { name: 'Content photos' });
  await hand(area, 'drop', 'one.jpg');
  await expect(page.getByText('1 of 8')).toBeVisible();
  await hand(page.locator('body'), 'paste', 'two.jpg');
  await expect(page.getByText('2 of 8')).toBeVisible();
  await hand(area, 'drop', 'letter.pdf', 'application/pdf');
  await expect(page.getByText('letter.pdf is not a picture')).toBeVisible();
  await hand(area, 'drop', 'phone.heic', 'image/heic');
  await expect(page.getByText("phone.heic can't be shown in a browser")).toBeVisible();
  await addPhotos(page, { name: 'huge.png', mimeType: 'image/png', buffer: Buffer.alloc(10_000_001) });
  await expect(page.getByText('huge.png is too large')).toBeVisible();
  await expect(page.getByText('A picture can be at most 10 MB.')).toBeVisible();
  await expect(page.getByText('2 of 8')).toBeVisible();

  // Pictures larger than any screen are scaled down before the upload.
  const large = await page.evaluate(async () => {
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [4800, 1200];
    const brush = canvas.getContext('2d');
    brush?.fillRect(0, 0, 2400, 1200);
    const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, 'image/png'));
    const bytes = new Uint8Array((await blob?.arrayBuffer()) ?? new ArrayBuffer(0));
    return btoa(bytes.reduce((text, byte) => text + String.fromCharCode(byte), ''));
  });
  await addPhotos(page, { name: 'wide.png', mimeType: 'image/png', buffer: Buffer.from(large, 'base64') });
  await expect(page.getByText('3 of 8')).toBeVisible();
  await saved(page);
  const url = ((await recordOf(request, me)).content_posts as string[])[2] ?? '';
  const size = await page.evaluate(async (address) => {
    const image = new Image();
    image.src = new URL(address).pathname;
    await image.decode();
    return [image.naturalWidth, image.naturalHeight];
  }, url);
  expect(size).toEqual([2400, 600]);
});

test('photos are moved by keyboard and mouse, removed and restored', async ({ page, request }) => {
  const me = await dashboardOfSomebody(page, request);
  const [first, secondPhoto, third] = await threePhotos(page);
  const handle = page.getByRole('button', { name: 'Move photo 1, use the arrow keys' });
  await handle.focus();
  await page.keyboard.press('ArrowRight');
  await expect(page.getByText('Photo 1 is now photo 2 of 3.')).toBeAttached();
  await expect(page.getByRole('button', { name: 'Move photo 2, use the arrow keys' })).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await expect.poll(() => numbers(page)).toEqual([secondPhoto, third, first]);
  await expect(page.getByText('Unsaved changes')).toBeVisible();
  await saved(page);
  // The toast may still be that of the previous save.
  await expect(page.getByText('All changes saved')).toBeVisible();
  const stored = (await recordOf(request, me)).content_posts as string[];
  expect(stored.map((url) => new URL(url).pathname)).toEqual(
    [secondPhoto, third, first].map((url) => new URL(url ?? '').pathname),
  );

  await dragTo(page, async (step, x, y) => {
    if (step === 'down') {
      await page.mouse.move(x, y);
      await page.mouse.down();
    } else if (step === 'move') await page.mouse.move(x, y, { steps: 8 });
    else {
      await expect(page.locator('[data-slot=photos] > li').nth(2)).toHaveAttribute('style', MADE_ROOM);
      await page.mouse.up();
    }
  });
  await expect(async () => expect(await numbers(page)).toEqual([third, first, secondPhoto])).toPass();
  await saved(page);
  await expect(page.getByText('All changes saved')).toBeVisible();

  await page.getByRole('button', { name: 'Remove photo 2' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByText('2 of 8')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Remove photo 2' })).toBeFocused();
  await expect(page.getByText('Unsaved changes')).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText('3 of 8')).toBeVisible();
  await expect.poll(() => numbers(page)).toEqual([third, first, secondPhoto]);
  await expect(page.getByText('All changes saved')).toBeVisible();
});

test.describe('with a finger', () => {
  test.use({ hasTouch: true, viewport: { width: 390, height: 800 } });

  test('sorting photos does not scroll the page', async ({ page, request }) => {
    await dashboardOfSomebody(page, request);
    const before = await threePhotos(page);
    await page.getByRole('button', { name: 'Move photo 1, use the arrow keys' }).scrollIntoViewIfNeeded();
    const client = await page.context().newCDPSession(page);
    await dragTo(page, async (step, x, y) => {
      if (step === 'up') await expect.poll(() => roomMade(page)).toBe(true);
      const type = ({ down: 'touchStart', move: 'touchMove', up: 'touchEnd' } as const)[step];
      await client.send('Input.dispatchTouchEvent', { type, touchPoints: step === 'up' ? [] : [{ x, y }] });
    });
    await expect(async () => {
      const now = await numbers(page);
      expect(now).not.toEqual(before);
      expect([...now].sort()).toEqual([...before].sort());
    }).toPass();
  });
});

/** Drags from the first handle to the third. */
async function dragTo(page: Page, act: (step: 'down' | 'move' | 'up', x: number, y: number) => Promise<void>) {
  const middle = async (place: number) => {
    const box = await page.getByRole('button', { name: `Move photo ${place}, use the arrow keys` }).boundingBox();
    if (!box) throw new Error('no handle');
    return [box.x + box.width / 2, box.y + box.height / 2] as const;
  };
  const [from, to] = [await middle(1), await middle(3)];
  await act('down', ...from);
  for (const share of [0.1, 0.5, 0.9, 1]) {
    await act('move', from[0] + (to[0] - from[0]) * share, from[1] + (to[1] - from[1]) * share);
    // The library measures between two frames.
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  }
  await act('up', ...to);
}

// Saving: once, from two tabs, and over a slow or broken connection.
import { expect, type Page } from '@playwright/test';
import { expectAccessible } from './accessibility';
import { newInfluencer, startSession } from './accounts';
import {
  addPhotos,
  dashboardOfSomebody,
  fillRequired,
  newAccount,
  opened,
  openTab,
  recordOf,
  save,
  saved,
  WORK,
} from './dashboard';
import { large } from './large-picture';
import { test } from './test';
import { weakLine } from './weak-line';

const second = async (page: Page) => {
  const other = await page.context().newPage();
  await other.goto('/dashboard');
  await opened(other);
  return other;
};

test('two tabs that save for the first time create one record, and neither loses a field', async ({
  page,
  request,
}) => {
  const me = await newAccount(request);
  await startSession(page, me);
  await page.goto('/dashboard');
  await opened(page);
  const other = await second(page);
  for (const tab of [page, other]) {
    // A tab in the background renders one frame per second.
    await tab.bringToFront();
    await fillRequired(tab, me.name, me.username);
  }
  await page.getByLabel('Bio').fill('Typed here');
  await other.getByLabel('Location').fill('Ipoh');
  await Promise.all(
    [page, other].map(async (tab) => {
      await tab.getByRole('button', { name: 'Save Profile' }).dispatchEvent('click');
      await expect(tab.getByText('Profile saved successfully!')).toBeVisible();
    }),
  );
  const record = await recordOf(request, me);
  expect(record).toMatchObject({ bio: 'Typed here', location: 'Ipoh' });
});

test('changes from another tab are kept, and a conflicting field is overwritten only after asking', async ({
  page,
  request,
}) => {
  const me = await dashboardOfSomebody(page, request);
  const other = await second(page);
  await other.getByLabel('Location').fill('Kuching');
  await saved(other);
  await page.bringToFront();
  await page.getByLabel('Bio').fill('From the first tab');
  await saved(page);
  await expect(page.getByText('Changes from another tab were kept')).toBeVisible();
  await expect(page.getByLabel('Location')).toHaveValue('Kuching');
  expect(await recordOf(request, me)).toMatchObject({ bio: 'From the first tab', location: 'Kuching' });

  await other.bringToFront();
  await other.getByLabel('Height').fill('Theirs');
  await saved(other);
  await expect(other.getByText('All changes saved')).toBeVisible();
  await page.bringToFront();
  await page.getByLabel('Height').fill('Mine');
  await page.getByLabel('Bio').fill('Changed here alone');
  await save(page);
  const question = page.getByRole('alertdialog', { name: 'Changed in another tab' });
  await expect(question.getByText('Height')).toBeVisible();
  await expect(question.getByText('Bio')).toBeHidden();
  await question.getByRole('button', { name: 'Use the saved version' }).click();
  await expect(page.getByLabel('Height')).toHaveValue('Theirs');
  await expect(page.getByLabel('Bio')).toHaveValue('Changed here alone');
  await page.getByLabel('Height').fill('Mine after all');
  await saved(page);
  await expect(page.getByText('All changes saved')).toBeVisible();
  expect(await recordOf(request, me)).toMatchObject({ height: 'Mine after all', bio: 'Changed here alone' });

  await other.bringToFront();
  await other.getByLabel('Height').fill('Theirs again');
  await save(other);
  await other.getByRole('button', { name: 'Keep mine' }).click();
  await expect(async () => {
    expect(await recordOf(request, me)).toMatchObject({ height: 'Theirs again', bio: 'Changed here alone' });
  }).toPass();
});

test('a slow upload shows its progress', async ({ page, request }) => {
  const me = await dashboardOfSomebody(page, request);
  await openTab(page, 'Content');
  await addPhotos(page, large(800_000));
  await expect(page.getByText('1 of 8')).toBeVisible();
  await page.evaluate(() => {
    const seen = new Set<string>();
    new MutationObserver(() => {
      const share = document.querySelector('[data-slot=photos] [role=progressbar]')?.getAttribute('aria-valuenow');
      const said = document.querySelector('button[type=submit]')?.textContent ?? '';
      if (share && /^Saving\.\.\. \d+%$/.test(said)) seen.add(share);
    }).observe(document.body, { subtree: true, childList: true, attributes: true });
    Object.assign(window, { shares: seen });
  });
  // Uses the browser's own throttling: the system's buffers would hide that of a proxy.
  const client = await page.context().newCDPSession(page);
  await client.send('Network.enable');
  await client.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput: 500_000,
  });
  await save(page);
  await expect(page.getByText('Profile saved successfully!')).toBeVisible({ timeout: 30_000 });
  const shares = await page.evaluate(() => [...(window as unknown as { shares: Set<string> }).shares].map(Number));
  expect(shares.filter((share) => share > 0 && share < 100).length).toBeGreaterThan(1);
  expect((await recordOf(request, me)).content_posts).toHaveLength(1);
});

test('a connection lost during an upload loses nothing: the old picture stays, the rest is saved, and Retry works', async ({
  page,
  request,
  baseURL,
}) => {
  const line = await weakLine(baseURL ?? '');
  try {
    const me = await newAccount(request);
    await startSession(page, me);
    await page.goto(`${line.url}/dashboard`);
    await opened(page);
    await fillRequired(page, me.name, me.username);
    const choose = (file: string) => page.locator('input[type=file][aria-label="Change cover"]').setInputFiles(file);
    await choose('e2e/fixtures/landscape.jpg');
    await page.getByRole('button', { name: 'Apply' }).click();
    await saved(page);
    const { cover_image: old } = await recordOf(request, me);
    expect(old).toContain(`/images/${me.userId}/cover-`);

    await choose('e2e/fixtures/portrait.jpg');
    await page.getByRole('button', { name: 'Apply' }).click();
    // While the dialog is open, it takes the focus back.
    await expect(page.getByRole('dialog')).toBeHidden();
    await page.getByLabel('Bio').fill('Saved all the same');
    await openTab(page, 'Content');
    await addPhotos(page, large(400_000));
    await expect(page.getByText('1 of 8')).toBeVisible();
    line.cutUploadsAfter(2_000);
    await save(page);
    const toasts = page.getByRole('region', { name: /Notifications/ });
    await expect(toasts.getByText('Failed to upload cover image')).toBeVisible();
    await expect(toasts.getByText('Failed to upload content image')).toBeVisible();
    await expect(async () => {
      expect(await recordOf(request, me)).toMatchObject({
        bio: 'Saved all the same',
        cover_image: old,
        content_posts: [],
      });
    }).toPass();
    await expect(page.getByText('1 picture is not uploaded yet')).toBeVisible();

    line.cutUploadsAfter(undefined);
    await page.getByRole('button', { name: 'Retry photo 1' }).click();
    await expect(page.getByRole('button', { name: 'Retry photo 1' })).toBeHidden();
    await expect(async () => {
      expect((await recordOf(request, me)).content_posts).toHaveLength(1);
    }).toPass();
  } finally {
    await line.close();
  }
});

test('each press saves once, also after an offline failure, and Back then leaves at once', async ({
  page,
  context,
  request,
}) => {
  await page.goto('/pricing');
  const me = await dashboardOfSomebody(page, request);
  await page.getByLabel('Bio').fill('Written on a train');
  await context.setOffline(true);
  await expect(page.getByRole('banner').getByText("You're offline.")).toBeVisible();
  await save(page);
  await expect(page.getByText('Failed to save profile')).toBeVisible();
  await expect(page.getByText("save them when you're back")).toBeVisible();
  await expectAccessible(page);
  await expect(page.getByText('Unsaved changes')).toBeVisible();
  await context.setOffline(false);
  const writes: string[] = [];
  page.on('request', (sent) => {
    if (sent.url().includes('/rest/v1/influencers') && sent.method() !== 'GET') writes.push(sent.method());
  });
  await page.getByRole('button', { name: 'Save Profile' }).dblclick();
  await expect(page.getByText('Profile saved successfully!')).toBeVisible();
  await expect(page.getByText('All changes saved')).toBeVisible();
  expect(writes).toEqual(['PATCH']);
  expect((await recordOf(request, me)).bio).toBe('Written on a train');
  await page.goBack();
  await expect(page).toHaveURL(/\/pricing$/);
  await page.goForward();
  await opened(page);
  await expect(page.getByLabel('Bio')).toHaveValue('Written on a train');
});

test('a content photo with a title keeps it', async ({ page, request }) => {
  const me = await newInfluencer(request);
  const posts = [
    { image_url: 'https://pictures.example.com/a.webp', title: 'Raya' },
    'https://pictures.example.com/b.webp',
  ];
  await request.patch(`/rest/v1/influencers?user_id=eq.${me.userId}`, {
    headers: me.headers,
    data: { content_posts: posts },
  });
  await startSession(page, me);
  await page.goto('/dashboard');
  await opened(page);
  await openTab(page, 'Content');
  await page.getByRole('button', { name: 'Move photo 1, use the arrow keys' }).press('ArrowRight');
  await addPhotos(page, WORK);
  await expect(page.getByText('3 of 8')).toBeVisible();
  await saved(page);
  expect((await recordOf(request, me)).content_posts).toMatchObject([
    posts[1],
    posts[0],
    expect.stringContaining('/content-2-'),
  ]);
});

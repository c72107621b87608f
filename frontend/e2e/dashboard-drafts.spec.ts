// Unsaved input and pictures survive a reload and the end of the session, but only for their owner.
import { expect, type Page } from '@playwright/test';
import { startSession } from './accounts';
import {
  addPhotos,
  dashboardOfSomebody,
  fillRequired,
  newAccount,
  opened,
  openTab,
  recordOf,
  saved,
  WORK,
} from './dashboard';
import { signIn } from './people';
import { test } from './test';

/** Answers the browser's dialog before the page is left. */
const leaveAnyway = (page: Page) => page.on('dialog', (dialog) => void dialog.accept());

/** The number of photos in the browser's database. */
const photosKept = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const opening = indexedDB.open('serasi-pictures');
        opening.onsuccess = () => {
          const asking = opening.result.transaction('unsaved').objectStore('unsaved').getAll();
          asking.onsuccess = () => {
            opening.result.close();
            resolve(asking.result[0]?.photos?.length ?? 0);
          };
        };
      }),
  );

test('text, a half-typed service and pictures survive a reload', async ({ page, request }) => {
  leaveAnyway(page);
  const me = await newAccount(request);
  await startSession(page, me);
  await page.goto('/dashboard');
  await opened(page);
  await fillRequired(page, me.name, me.username);
  await page.locator('input[type=file][aria-label="Change photo"]').setInputFiles('e2e/fixtures/portrait.jpg');
  await page.getByRole('button', { name: 'Apply' }).click();
  await openTab(page, 'Services');
  await page.getByLabel('Title').fill('Half a service');
  await openTab(page, 'Content');
  await addPhotos(page, [WORK, WORK]);
  await expect(page.getByText('2 of 8')).toBeVisible();
  await expect.poll(() => photosKept(page)).toBe(2);

  await page.reload();
  await expect(page.getByText('Your unsaved changes are back')).toBeVisible({ timeout: 20_000 });
  await expect(page.getByText('Please choose the new pictures again.')).toBeHidden();
  await expect(page.getByRole('textbox', { name: 'Username' })).toHaveValue(me.username);
  await openTab(page, 'Services');
  await expect(page.getByLabel('Title')).toHaveValue('Half a service');
  await openTab(page, 'Content');
  await expect(page.getByText('2 of 8')).toBeVisible();
  await saved(page);
  const record = await recordOf(request, me);
  expect(record.profile_image).toContain('/profile-');
  expect(record.content_posts).toHaveLength(2);
  expect(record.services).toEqual([]);
});

test('a session that ends while editing loses nothing', async ({ page, request }) => {
  const me = await dashboardOfSomebody(page, request);
  await page.getByLabel('Bio').fill('Not saved yet');
  await openTab(page, 'Content');
  await addPhotos(page, WORK);
  await expect(page.getByText('1 of 8')).toBeVisible();
  await expect.poll(() => photosKept(page)).toBe(1);
  // The server has ended the session, and the remaining token has expired.
  const ended = await request.post('/auth/v1/logout?scope=global', { headers: me.headers });
  expect(ended.ok()).toBe(true);
  await page.evaluate(() => {
    const session = JSON.parse(localStorage.getItem('serasi-session') ?? '{}');
    localStorage.setItem('serasi-session', JSON.stringify({ ...session, expires_at: 1, expires_in: -1 }));
  });
  await page.getByRole('button', { name: 'Save Profile' }).click();
  await expect(page).toHaveURL(/\/auth$/);
  await expect(page.getByText('Your changes are kept in this tab.')).toBeVisible();
  await signIn(page, '/auth', me.email);
  await expect(page.getByText('Your unsaved changes are back')).toBeVisible({ timeout: 20_000 });
  await expect(page.getByLabel('Bio')).toHaveValue('Not saved yet');
  await openTab(page, 'Content');
  await expect(page.getByText('1 of 8')).toBeVisible();
  await saved(page);
  expect(await recordOf(request, me)).toMatchObject({ bio: 'Not saved yet' });
});

test('a reload asks first, and restores only unsaved changes', async ({ page, request }) => {
  let asked = 0;
  page.on('dialog', (dialog) => {
    asked += 1;
    void dialog.accept();
  });
  const me = await dashboardOfSomebody(page, request);
  await page.getByLabel('Bio').fill('Saved');
  await openTab(page, 'Content');
  await addPhotos(page, WORK);
  await expect(page.getByText('1 of 8')).toBeVisible();
  await saved(page);
  await expect(page.getByText('All changes saved')).toBeVisible();
  await page.reload();
  await opened(page);
  await expect(page.getByText('All changes saved')).toBeVisible();
  await expect(page.getByText('Your unsaved changes are back')).toBeHidden();
  expect(asked).toBe(0);

  await page.getByLabel('Bio').fill('Mine');
  await expect
    .poll(() => page.evaluate(() => sessionStorage.getItem('serasi-draft-influencer') ?? ''))
    .toContain('Mine');
  const answer = await request.patch(`/rest/v1/influencers?user_id=eq.${me.userId}`, {
    headers: me.headers,
    data: { location: 'Melaka' },
  });
  expect(answer.ok()).toBe(true);
  await page.reload();
  await opened(page);
  expect(asked).toBe(1);
  await expect(page.getByLabel('Bio')).toHaveValue('Mine');
  // The other fields have the values saved in the meantime.
  await expect(page.getByLabel('Location')).toHaveValue('Melaka');
  await saved(page);
  expect(await recordOf(request, me)).toMatchObject({ bio: 'Mine', location: 'Melaka' });
});

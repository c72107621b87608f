// The influencer's dashboard: opens it with a new account, fills it in, and saves.
import { type APIRequestContext, expect, type Page } from '@playwright/test';
import { callerFrom, newInfluencer, startSession } from './accounts';
import { PASSWORD, somebodyNew } from './people';

export const WORK = 'e2e/fixtures/work.jpg';

export const opened = async (page: Page) =>
  expect(page.getByRole('button', { name: 'Save Profile' })).toBeVisible({ timeout: 20_000 });

/** A new influencer with an account but no profile. */
export async function newAccount(request: APIRequestContext) {
  const me = somebodyNew();
  const data = { user_type: 'influencer' };
  return { ...me, ...(await callerFrom(request, 'signup', { email: me.email, password: PASSWORD, data })) };
}

/** A new influencer with a saved profile and an open dashboard. */
export async function dashboardOfSomebody(page: Page, request: APIRequestContext) {
  const me = await newInfluencer(request);
  await startSession(page, me);
  await page.goto('/dashboard');
  await opened(page);
  return me;
}

export async function fillRequired(page: Page, name: string, username: string) {
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill(name);
  await page.getByRole('textbox', { name: 'Username' }).fill(username);
  await page.getByLabel('Category').click();
  await page.getByRole('option', { name: 'Tech' }).click();
}

export const save = (page: Page) => page.getByRole('button', { name: 'Save Profile' }).click();

export async function saved(page: Page) {
  await save(page);
  await expect(page.getByText('Profile saved successfully!').first()).toBeVisible();
}

export const openTab = (page: Page, name: string) => page.getByRole('tab', { name }).click();

export const addPhotos = (page: Page, files: Parameters<ReturnType<Page['locator']>['setInputFiles']>[0]) =>
  page.locator('input[type=file][aria-label="Add photos"]').setInputFiles(files);

/** The stored record. */
export async function recordOf(
  request: APIRequestContext,
  { headers, userId }: { headers: Record<string, string>; userId: string },
) {
  const answer = await request.get(`/rest/v1/influencers?user_id=eq.${userId}`, { headers });
  const rows = await answer.json();
  expect(rows).toHaveLength(1);
  return rows[0] as Record<string, unknown>;
}

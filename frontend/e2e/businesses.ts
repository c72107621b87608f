// Agencies and vendors of a test's own, through the API.
import { type APIRequestContext, expect, type Page } from '@playwright/test';
import { type Caller, callerFrom, signedIn } from './accounts';
import { mailsTo } from './mailbox';
import { demo, PASSWORD, somebodyNew } from './people';

export interface Business extends Caller {
  email: string;
  name: string;
}

/** An agency that has an account and nothing else. */
export async function newAgency(request: APIRequestContext): Promise<Business> {
  const { email, name } = somebodyNew();
  const caller = await callerFrom(request, 'signup', { email, password: PASSWORD, data: { user_type: 'agency' } });
  return { email, name, ...caller };
}

/** A vendor that confirmed its address and did nothing else. */
export async function newVendor(request: APIRequestContext): Promise<Business> {
  const { email, name } = somebodyNew();
  const apikey = /name="anon-key" content="([^"]*)"/.exec(await (await request.get('/')).text())?.[1] ?? '';
  const data = { email, password: PASSWORD, data: { user_type: 'vendor' } };
  expect((await request.post('/auth/v1/signup', { headers: { apikey }, data })).ok()).toBe(true);
  let token: string | null | undefined;
  await expect(async () => {
    token = (await mailsTo(request, email))[0]?.code;
    expect(token).toBeTruthy();
  }).toPass({ timeout: 15_000 });
  return { email, name, ...(await callerFrom(request, 'verify', { email, token, type: 'signup' })) };
}

/** Its record, as its own Save Profile would make it. */
export async function withRecord(
  request: APIRequestContext,
  table: 'agencies' | 'vendors',
  business: Business,
  more: object = {},
): Promise<Business & { id: string }> {
  const answer = await request.post(`/rest/v1/${table}`, {
    headers: { ...business.headers, Prefer: 'return=representation' },
    data: { name: business.name, email: business.email, ...more },
  });
  expect(answer.status(), await answer.text()).toBe(201);
  const [row] = await answer.json();
  return { ...business, id: row.id };
}

/** What is stored, as its owner sees it. */
export async function recordOf(request: APIRequestContext, table: 'agencies' | 'vendors', business: Business) {
  const answer = await request.get(`/rest/v1/${table}?user_id=eq.${business.userId}`, { headers: business.headers });
  const rows = await answer.json();
  expect(rows.length, await answer.text()).toBeLessThanOrEqual(1);
  return rows[0];
}

export async function asAdmin(
  request: APIRequestContext,
  table: 'agencies' | 'vendors',
  userId: string,
  change: object | 'delete',
) {
  const { headers } = await signedIn(request, demo('admin'));
  const path = `/rest/v1/${table}?user_id=eq.${userId}`;
  const answer =
    change === 'delete'
      ? await request.delete(path, { headers })
      : await request.patch(path, { headers, data: change });
  expect(answer.ok(), await answer.text()).toBe(true);
}

export const save = (page: Page) => page.getByRole('button', { name: 'Save Profile' }).click();

export const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });

/** Nothing is wider than the screen, and nothing that is pressed is cut off. */
export async function expectNoSidewaysScroll(page: Page) {
  const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  await expect.poll(overflow).toBeLessThanOrEqual(0);
}

// Agencies and vendors of a test's own, through the API.
import assert from 'node:assert/strict';
import type { Page } from '@playwright/test';
import { type Caller, callerFrom, publicKey, signedIn } from './accounts';
import type { Api } from './api';
import { eventually } from './eventually';
import { mailsTo } from './mailbox';
import { demo, PASSWORD, somebodyNew } from './people';

export interface Business extends Caller {
  email: string;
  name: string;
}

/** An agency that has an account and nothing else. */
export async function newAgency(request: Api): Promise<Business> {
  const { email, name } = somebodyNew();
  const caller = await callerFrom(request, 'signup', { email, password: PASSWORD, data: { user_type: 'agency' } });
  return { email, name, ...caller };
}

/** A vendor that confirmed its address and did nothing else. */
export async function newVendor(request: Api): Promise<Business> {
  const { email, name } = somebodyNew();
  const apikey = await publicKey(request);
  const data = { email, password: PASSWORD, data: { user_type: 'vendor' } };
  assert.ok((await request.post('/auth/v1/signup', { headers: { apikey }, data })).ok());
  const token = await eventually(async () => {
    const code = (await mailsTo(request, email))[0]?.code;
    assert.ok(code, `no code was mailed to ${email}`);
    return code;
  });
  return { email, name, ...(await callerFrom(request, 'verify', { email, token, type: 'signup' })) };
}

/** Its record, as its own Save Profile would make it. */
export async function withRecord(
  request: Api,
  table: 'agencies' | 'vendors',
  business: Business,
  more: object = {},
): Promise<Business & { id: string }> {
  const answer = await request.post(`/rest/v1/${table}`, {
    headers: { ...business.headers, Prefer: 'return=representation' },
    data: { name: business.name, email: business.email, ...more },
  });
  assert.equal(answer.status(), 201, await answer.text());
  const [row] = await answer.json();
  return { ...business, id: row.id };
}

/** What is stored, as its owner sees it. */
export async function recordOf(request: Api, table: 'agencies' | 'vendors', business: Business) {
  const answer = await request.get(`/rest/v1/${table}?user_id=eq.${business.userId}`, { headers: business.headers });
  const rows = await answer.json();
  assert.ok(rows.length <= 1, await answer.text());
  return rows[0];
}

export async function asAdmin(request: Api, table: 'agencies' | 'vendors', userId: string, change: object | 'delete') {
  const { headers } = await signedIn(request, demo('admin'));
  const path = `/rest/v1/${table}?user_id=eq.${userId}`;
  const answer =
    change === 'delete'
      ? await request.delete(path, { headers })
      : await request.patch(path, { headers, data: change });
  assert.ok(answer.ok(), await answer.text());
}

export const save = (page: Page) => page.getByRole('button', { name: 'Save Profile' }).click();

export const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });

/** Nothing is wider than the screen, and nothing that is pressed is cut off. */
export async function expectNoSidewaysScroll(page: Page) {
  await eventually(async () => {
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    assert.ok(overflow <= 0, `the page is ${overflow} pixels too wide`);
  }, 10_000);
}

// Agencies and vendors of a single test, created through the API.
import assert from 'node:assert/strict';
import type { Page } from '@playwright/test';
import { type Caller, callerFrom, demoStaff, serviceHeaders, signedIn } from './accounts';
import type { Api } from './api';
import { PASSWORD, somebodyNew } from './people';

export interface Business extends Caller {
  email: string;
  name: string;
}

/** An agency with an account but no profile. */
export async function newAgency(request: Api): Promise<Business> {
  const { email, name } = somebodyNew();
  const caller = await callerFrom(request, 'signup', { email, password: PASSWORD, data: { user_type: 'agency' } });
  return { email, name, ...caller };
}

/** A vendor with a confirmed address but no profile. */
export async function newVendor(request: Api): Promise<Business> {
  const { email, name } = somebodyNew();
  const created = await request.post('/auth/v1/admin/users', {
    headers: serviceHeaders(),
    data: { email, password: PASSWORD, email_confirm: true, user_metadata: { user_type: 'vendor' } },
  });
  assert.ok(created.ok(), await created.text());
  return { email, name, ...(await signedIn(request, email)) };
}

/** Creates the profile, like Save Profile does. */
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

/** The stored profile, as its owner sees it. */
export async function recordOf(request: Api, table: 'agencies' | 'vendors', business: Business) {
  const answer = await request.get(`/rest/v1/${table}?user_id=eq.${business.userId}`, { headers: business.headers });
  const rows = await answer.json();
  assert.ok(rows.length <= 1, await answer.text());
  return rows[0];
}

export async function asAdmin(request: Api, table: 'agencies' | 'vendors', userId: string, change: object | 'delete') {
  const { headers } = await demoStaff(request, 'admin');
  const path = `/rest/v1/${table}?user_id=eq.${userId}`;
  const answer =
    change === 'delete'
      ? await request.delete(path, { headers })
      : await request.patch(path, { headers, data: change });
  assert.ok(answer.ok(), await answer.text());
}

export const save = (page: Page) => page.getByRole('button', { name: 'Save Profile' }).click();

export const field = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true });

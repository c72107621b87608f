// Accounts of admins and of those they moderate, created through the API.
import { type APIRequestContext, type Browser, expect, type Page } from '@playwright/test';
import { type Caller, demoStaff, signedIn, startSession } from './accounts';
import { newAgency, newVendor, withRecord } from './businesses';
import { PASSWORD, somebodyNew } from './people';

export const asSuperadmin = (request: APIRequestContext) => demoStaff(request, 'superadmin');

/** A new admin or superadmin, signed in. */
export async function newStaff(request: APIRequestContext, role: 'admin' | 'superadmin' = 'admin') {
  const { email } = somebodyNew();
  const superadmin = await asSuperadmin(request);
  const answer = await request.post('/functions/v1/create-admin', {
    headers: superadmin.headers,
    data: { email, password: PASSWORD, role },
  });
  expect(answer.status(), await answer.text()).toBe(200);
  return { email, ...(await signedIn(request, email)) };
}

export async function takeRoleAway(request: APIRequestContext, userId: string) {
  const superadmin = await asSuperadmin(request);
  const answer = await request.delete(`/rest/v1/user_roles?user_id=eq.${userId}`, { headers: superadmin.headers });
  expect(answer.ok(), await answer.text()).toBe(true);
}

/** A new agency or vendor with a profile. */
export async function newBusiness(request: APIRequestContext, kind: 'agency' | 'vendor') {
  const account = await (kind === 'agency' ? newAgency(request) : newVendor(request));
  const table = kind === 'agency' ? 'agencies' : 'vendors';
  const { id, ...rest } = await withRecord(request, table, account, { company_name: `${account.name} Sdn Bhd` });
  return { ...rest, profileId: id };
}

/** Another browser with a signed-in account. */
export async function browserOf(browser: Browser, caller: Caller): Promise<Page> {
  const context = await browser.newContext();
  const page = await context.newPage();
  await startSession(page, caller);
  return page;
}

/** The admin area, opened by an admin that no other test uses. */
export async function openAs(page: Page, caller: Caller, path: string) {
  await startSession(page, caller);
  await page.goto(path);
}

export const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });

// Accounts of admins, and of those they moderate, made through the API.
import { type APIRequestContext, type Browser, expect, type Page } from '@playwright/test';
import { type Caller, signedIn, startSession } from './accounts';
import { linkTo } from './mailbox';
import { demo, PASSWORD, somebodyNew } from './people';

export const asSuperadmin = (request: APIRequestContext) => signedIn(request, demo('superadmin'));

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

/** A new agency or vendor with a profile. Vendors confirm their address first. */
export async function newBusiness(request: APIRequestContext, kind: 'agency' | 'vendor') {
  const me = somebodyNew();
  const apikey = (await asSuperadmin(request)).headers.apikey ?? '';
  const signUp = await request.post('/auth/v1/signup', {
    headers: { apikey },
    data: { email: me.email, password: PASSWORD, data: { user_type: kind } },
  });
  expect(signUp.ok(), await signUp.text()).toBe(true);
  if (kind === 'vendor') {
    const link = new URL(await linkTo(request, me.email), 'http://serasi.test');
    const confirmed = await request.post('/auth/v1/verify', {
      headers: { apikey },
      data: { type: link.searchParams.get('type'), token_hash: link.searchParams.get('token_hash') },
    });
    expect(confirmed.ok(), await confirmed.text()).toBe(true);
  }
  const caller = await signedIn(request, me.email);
  const answer = await request.post(`/rest/v1/${kind === 'agency' ? 'agencies' : 'vendors'}`, {
    headers: { ...caller.headers, Prefer: 'return=representation' },
    data: { name: me.name, email: me.email, company_name: `${me.name} Sdn Bhd` },
  });
  expect(answer.status(), await answer.text()).toBe(201);
  const [row] = await answer.json();
  return { ...me, ...caller, profileId: row.id as string };
}

/** Another browser, with somebody signed in. */
export async function browserOf(browser: Browser, caller: Caller): Promise<Page> {
  const context = await browser.newContext();
  const page = await context.newPage();
  await startSession(page, caller);
  return page;
}

/** A page of the admin area, for an admin that no other test knows. */
export async function openAs(page: Page, caller: Caller, path: string) {
  await startSession(page, caller);
  await page.goto(path);
}

export const rowOf = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });

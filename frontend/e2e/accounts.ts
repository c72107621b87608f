// Accounts created through the API, before a test opens a page.
import assert from 'node:assert/strict';
import type { Page } from '@playwright/test';
import type { Api } from './api';
import { withoutFirstAnswers } from './first-answers';
import { demo, PASSWORD, somebodyNew } from './people';

let anonKey: Promise<string> | undefined;

async function readAnonKey(request: Api): Promise<string> {
  const html = await (await request.get('/')).text();
  const key = /name="anon-key" content="([^"]*)"/.exec(html)?.[1] ?? '';
  assert.notEqual(key, '', 'the page carries no key');
  return key;
}

/** The public key from the page. It is read once. */
export function publicKey(request: Api): Promise<string> {
  anonKey ??= readAnonKey(request);
  return anonKey;
}

/** The service key, which may create accounts. */
export const serviceHeaders = () => {
  const key = process.env.SERVICE_ROLE_KEY ?? '';
  return { apikey: key, Authorization: `Bearer ${key}` };
};

export interface Caller {
  headers: Record<string, string>;
  userId: string;
  session: unknown;
}

async function confirmAddress(request: Api, userId: string) {
  const path = `/auth/v1/admin/users/${userId}`;
  const answer = await request.put(path, { headers: serviceHeaders(), data: { email_confirm: true } });
  assert.ok(answer.ok(), await answer.text());
}

export async function callerFrom(request: Api, path: string, data: object): Promise<Caller> {
  const apikey = await publicKey(request);
  const answer = await request.post(`/auth/v1/${path}`, { headers: { apikey }, data });
  assert.ok(answer.ok(), await answer.text());
  const session = await answer.json();
  // Only accounts with a proved address may apply, review and report.
  if (path === 'signup') await confirmAddress(request, session.user.id);
  return {
    session,
    userId: session.user.id,
    headers: { apikey, Authorization: `Bearer ${session.access_token}` },
  };
}

export const signedIn = (request: Api, email: string) =>
  callerFrom(request, 'token?grant_type=password', { email, password: PASSWORD });

const staff = new Map<string, Promise<Caller>>();

/** A demo admin, only for requests: all tests of a worker share the session, so no page may use it. */
export function demoStaff(request: Api, name: 'admin' | 'superadmin'): Promise<Caller> {
  const caller = staff.get(name) ?? signedIn(request, demo(name));
  staff.set(name, caller);
  return caller;
}

/** A new influencer with an unapproved profile. */
export async function newInfluencer(request: Api) {
  const me = somebodyNew();
  const caller = await callerFrom(request, 'signup', {
    email: me.email,
    password: PASSWORD,
    data: { user_type: 'influencer' },
  });
  const answer = await request.post('/rest/v1/influencers', {
    headers: { ...caller.headers, Prefer: 'return=representation' },
    data: { name: me.name, username: me.username, category: 'Tech' },
  });
  assert.equal(answer.status(), 201, await answer.text());
  const [row] = await answer.json();
  return { ...me, ...caller, profileId: row.id as string };
}

/** A new influencer that everyone can see. */
export async function approvedInfluencer(request: Api) {
  const me = await newInfluencer(request);
  await changeAsAdmin(request, me.userId, { approved: true });
  return me;
}

/** A new influencer with access to gigs. */
export async function verifiedInfluencer(request: Api) {
  const me = await newInfluencer(request);
  await changeAsAdmin(request, me.userId, { approved: true, badge_type: 'blue' });
  return me;
}

export async function changeAsAdmin(request: Api, userId: string, change: object) {
  const admin = await demoStaff(request, 'admin');
  const answer = await request.patch(`/rest/v1/influencers?user_id=eq.${userId}`, {
    headers: admin.headers,
    data: change,
  });
  assert.ok(answer.ok(), await answer.text());
}

export async function deleteAsAdmin(request: Api, userId: string) {
  const admin = await demoStaff(request, 'admin');
  await request.delete(`/rest/v1/influencers?user_id=eq.${userId}`, { headers: admin.headers });
}

/** Deletes the account and everything that belongs to it, as support does. */
export async function deleteAccount(request: Api, userId: string) {
  const answer = await request.delete(`/auth/v1/admin/users/${userId}`, { headers: serviceHeaders() });
  assert.ok(answer.ok(), await answer.text());
}

/** Makes a request that must succeed, and returns its JSON. */
export async function posted(request: Api, path: string, headers: Record<string, string>, data: object) {
  const answer = await request.post(path, { headers, data });
  assert.ok(answer.ok(), `${path}: ${answer.status()} ${await answer.text()}`);
  return answer.json();
}

/** Opens the browser with a session, as if signed in before. */
export async function startSession(page: Page, caller: Caller) {
  await page.addInitScript((session) => {
    // Set only once, so that a sign-out during the test lasts.
    if (sessionStorage.getItem('started')) return;
    sessionStorage.setItem('started', 'yes');
    localStorage.setItem('serasi-session', JSON.stringify(session));
  }, caller.session);
}

/** Changes the database's response for a table on its way to the page. */
export async function withRows(page: Page, table: string, change: (row: Record<string, unknown>) => object) {
  await withoutFirstAnswers(page);
  await page.route(`**/rest/v1/${table}*`, async (route) => {
    const answer = await route.fetch();
    const body = await answer.json();
    const json = Array.isArray(body) ? body.map(change) : change(body);
    await route.fulfill({ response: answer, json });
  });
}

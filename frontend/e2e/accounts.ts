// Accounts through the API: what a test needs to be there before it looks at a page.
import { type APIRequestContext, expect, type Page } from '@playwright/test';
import { withoutFirstAnswers } from './first-answers';
import { demo, PASSWORD, somebodyNew } from './people';

async function publicKey(request: APIRequestContext): Promise<string> {
  const html = await (await request.get('/')).text();
  return /name="anon-key" content="([^"]*)"/.exec(html)?.[1] ?? '';
}

export interface Caller {
  headers: Record<string, string>;
  userId: string;
  session: unknown;
}

export async function callerFrom(request: APIRequestContext, path: string, data: object): Promise<Caller> {
  const apikey = await publicKey(request);
  const answer = await request.post(`/auth/v1/${path}`, { headers: { apikey }, data });
  expect(answer.ok(), await answer.text()).toBe(true);
  const session = await answer.json();
  return {
    session,
    userId: session.user.id,
    headers: { apikey, Authorization: `Bearer ${session.access_token}` },
  };
}

export const signedIn = (request: APIRequestContext, email: string) =>
  callerFrom(request, 'token?grant_type=password', { email, password: PASSWORD });

/** A new influencer with a profile, not approved. */
export async function newInfluencer(request: APIRequestContext) {
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
  expect(answer.status(), await answer.text()).toBe(201);
  const [row] = await answer.json();
  return { ...me, ...caller, profileId: row.id as string };
}

export async function changeAsAdmin(request: APIRequestContext, userId: string, change: object) {
  const admin = await signedIn(request, demo('admin'));
  const answer = await request.patch(`/rest/v1/influencers?user_id=eq.${userId}`, {
    headers: admin.headers,
    data: change,
  });
  expect(answer.ok(), await answer.text()).toBe(true);
}

export async function deleteAsAdmin(request: APIRequestContext, userId: string) {
  const admin = await signedIn(request, demo('admin'));
  await request.delete(`/rest/v1/influencers?user_id=eq.${userId}`, { headers: admin.headers });
}

/** Opens the browser with a session, as if signed in before. */
export async function startSession(page: Page, caller: Caller) {
  await page.addInitScript((session) => {
    // Once: a sign-out during the test has to last.
    if (sessionStorage.getItem('started')) return;
    sessionStorage.setItem('started', 'yes');
    localStorage.setItem('serasi-session', JSON.stringify(session));
  }, caller.session);
}

/** What the database answers for a table, changed on its way to the page. */
export async function withRows(page: Page, table: string, change: (row: Record<string, unknown>) => object) {
  await withoutFirstAnswers(page);
  await page.route(`**/rest/v1/${table}?*`, async (route) => {
    const answer = await route.fetch();
    const body = await answer.json();
    const json = Array.isArray(body) ? body.map(change) : change(body);
    await route.fulfill({ response: answer, json });
  });
}

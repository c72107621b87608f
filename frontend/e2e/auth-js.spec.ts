// The unmodified client against our accounts: what it promises its users, with mails as they arrive.

import { type APIRequestContext, expect } from '@playwright/test';
import { AuthClient, type AuthFlowType } from '@supabase/auth-js';
import { type Mail, mailsTo } from './mailbox';
import { somebodyNew } from './people';
import { test } from './test';

const PASSWORD = 'correct horse battery';

/** Kept by the client like a browser's storage. */
function memory() {
  const kept = new Map<string, string>();
  return {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => void kept.set(name, value),
    removeItem: (name: string) => void kept.delete(name),
  };
}

const client = (baseURL: string | undefined, flowType: AuthFlowType = 'implicit', headers = {}) =>
  new AuthClient({ url: `${baseURL}/auth/v1`, storage: memory(), flowType, headers, autoRefreshToken: false });

const operator = (baseURL: string | undefined) =>
  client(baseURL, 'implicit', { Authorization: `Bearer ${process.env.SERVICE_ROLE_KEY}` }).admin;

async function mailTo(request: APIRequestContext, address: string, template: string): Promise<Mail> {
  let found: Mail | undefined;
  await expect(async () => {
    found = (await mailsTo(request, address)).find((mail) => mail.template === template);
    expect(found).toBeDefined();
  }).toPass({ timeout: 15_000 });
  return found as Mail;
}

const parameter = (mail: Mail, name: string) => new URL(mail.link ?? '').searchParams.get(name) ?? '';

/** Where the server leads whoever follows the link at the API itself. */
async function followed(request: APIRequestContext, mail: Mail): Promise<URL> {
  const query = new URLSearchParams({ token: parameter(mail, 'token_hash'), type: parameter(mail, 'type') });
  const answer = await request.get(`/auth/v1/verify?${query}`, { maxRedirects: 0 });
  expect(answer.status()).toBe(303);
  return new URL(answer.headers().location ?? '');
}

test('a vendor confirms by code and signs in', async ({ request, baseURL }) => {
  const { email } = somebodyNew();
  const auth = client(baseURL);
  const options = { data: { user_type: 'vendor' } };

  const signUp = await auth.signUp({ email, password: PASSWORD, options });
  expect(signUp.error).toBeNull();
  expect(signUp.data.session).toBeNull();
  expect((await auth.signInWithPassword({ email, password: PASSWORD })).error?.code).toBe('email_not_confirmed');
  const mail = await mailTo(request, email, 'confirmation');
  const wrong = await auth.verifyOtp({ email, token: '000000x', type: 'signup' });
  expect(wrong.error?.message).toBe('Token has expired or is invalid');
  const confirmed = await auth.verifyOtp({ email, token: mail.code ?? '', type: 'signup' });
  expect(confirmed.error).toBeNull();
  expect(confirmed.data.session?.user.email_confirmed_at).toBeTruthy();
  expect((await auth.signInWithPassword({ email, password: PASSWORD })).error).toBeNull();

  const known = await client(baseURL).signUp({ email, password: PASSWORD, options });
  expect(known.error).toBeNull();
  expect(known.data.user?.identities).toEqual([]);
});

test('a forgotten password is replaced by code', async ({ request, baseURL }) => {
  const { email } = somebodyNew();
  const auth = client(baseURL);
  await auth.signUp({ email, password: PASSWORD, options: { data: { user_type: 'influencer' } } });
  await auth.signOut();

  expect((await auth.resetPasswordForEmail(email)).error).toBeNull();
  expect((await auth.resetPasswordForEmail(email)).error?.code).toBe('over_email_send_rate_limit');
  const mail = await mailTo(request, email, 'recovery');
  expect((await auth.verifyOtp({ email, token: mail.code ?? '', type: 'recovery' })).error).toBeNull();
  expect((await auth.updateUser({ password: PASSWORD })).error?.code).toBe('same_password');
  expect((await auth.updateUser({ password: 'another battery' })).error).toBeNull();

  expect((await auth.signInWithPassword({ email, password: PASSWORD })).error?.code).toBe('invalid_credentials');
  expect((await auth.signInWithPassword({ email, password: 'another battery' })).error).toBeNull();
});

test('PKCE: the link brings a code that only its asker can exchange', async ({ request, baseURL }) => {
  const { email } = somebodyNew();
  await client(baseURL).signUp({ email, password: PASSWORD, options: { data: { user_type: 'agency' } } });
  const auth = client(baseURL, 'pkce');
  expect((await auth.signInWithOtp({ email })).error).toBeNull();

  const place = await followed(request, await mailTo(request, email, 'magic_link'));
  const code = place.searchParams.get('code') ?? '';

  expect(place.hash).toBe('');
  expect((await client(baseURL, 'pkce').exchangeCodeForSession(code)).error).not.toBeNull();
  const exchanged = await auth.exchangeCodeForSession(code);
  expect(exchanged.error).toBeNull();
  expect(exchanged.data.session?.user.email).toBe(email);
  expect((await auth.getUser()).data.user?.email).toBe(email);
});

test('a new address takes both mails', async ({ request, baseURL }) => {
  const [old, next] = [somebodyNew().email, `next-${somebodyNew().email}`];
  const auth = client(baseURL);
  await auth.signUp({ email: old, password: PASSWORD, options: { data: { user_type: 'influencer' } } });

  const asked = await auth.updateUser({ email: next });
  expect(asked.error).toBeNull();
  expect([asked.data.user?.email, asked.data.user?.new_email]).toEqual([old, next]);
  const half = await followed(request, await mailTo(request, old, 'email_change'));
  expect(half.hash).toContain('message=Confirmation+link+accepted');
  const mail = await mailTo(request, next, 'email_change');
  const token_hash = parameter(mail, 'token_hash');
  expect((await auth.verifyOtp({ token_hash, type: 'email_change' })).error).toBeNull();

  expect((await auth.getUser()).data.user?.email).toBe(next);
});

test('an operator lists, makes, changes, links, invites and deletes', async ({ request, baseURL }) => {
  const { email } = somebodyNew();
  const admin = operator(baseURL);

  const made = await admin.createUser({ email, password: PASSWORD, email_confirm: true, user_metadata: { a: 1 } });
  expect(made.error).toBeNull();
  const id = made.data.user?.id ?? '';
  expect((await admin.getUserById(id)).data.user?.email).toBe(email);
  const changed = await admin.updateUserById(id, { user_metadata: { b: 2 }, app_metadata: { plan: 'pro' } });
  expect(changed.data.user?.user_metadata).toMatchObject({ a: 1, b: 2 });
  const page = await admin.listUsers({ page: 1, perPage: 1 });
  expect(page.error).toBeNull();
  expect(page.data.users).toHaveLength(1);
  expect(page.data).toMatchObject({ nextPage: 2, total: expect.any(Number), lastPage: expect.any(Number) });
  const link = await admin.generateLink({ type: 'magiclink', email });
  const token_hash = link.data.properties?.hashed_token ?? '';
  const auth = client(baseURL);
  expect((await auth.verifyOtp({ token_hash, type: 'magiclink' })).data.user?.id).toBe(id);
  expect((await admin.deleteUser(id)).error).toBeNull();
  expect((await admin.getUserById(id)).error?.code).toBe('user_not_found');

  const guest = somebodyNew().email;
  const invited = await admin.inviteUserByEmail(guest, { data: { user_type: 'vendor' } });
  expect(invited.data.user?.invited_at).toBeTruthy();
  const mail = await mailTo(request, guest, 'invite');
  const accepted = await auth.verifyOtp({ token_hash: parameter(mail, 'token_hash'), type: 'invite' });
  expect(accepted.error).toBeNull();
  expect((await auth.updateUser({ password: PASSWORD })).error).toBeNull();
});

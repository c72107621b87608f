// auth-js with the service role key: an operator creates, lists, changes, deletes and invites users.

import type { AdminUserAttributes, AuthError } from '@supabase/auth-js';
import { expect, test } from 'vitest';
import { eventually } from '../../frontend/e2e/eventually';
import { somebodyNew } from '../../frontend/e2e/people';
import { baseURL } from '../server';
import {
  ANOTHER_PASSWORD,
  bearer,
  client,
  operator,
  PASSWORD,
  type Refusal,
  refusal,
  refusedByApi,
  SESSION_MISSING,
  signedInAgain,
  signedUp,
} from './clients';
import { mailTo, parameter, secondMailTo } from './mails';
import { remains } from './rows';

const MALFORMED = refusedByApi(400, 'validation_failed');
const TAKEN = refusedByApi(422, 'email_exists');
const UNKNOWN = refusedByApi(404, 'user_not_found');
const NO_PHONE = refusedByApi(400, 'phone_provider_disabled');
const BANNED = refusedByApi(400, 'user_banned');
const WRONG_PASSWORD = refusedByApi(400, 'invalid_credentials');

const signIn = async (email: string, password = PASSWORD) =>
  refusal((await client().signInWithPassword({ email, password })).error);

test('an operator creates a user with the given id and metadata', async () => {
  const [admin, { email }, id] = [operator(), somebodyNew(), crypto.randomUUID()];

  const { data, error } = await admin.createUser({
    id,
    email,
    password: PASSWORD,
    user_metadata: { city: 'Ipoh' },
    app_metadata: { plan: 'pro' },
  });

  expect(error).toBeNull();
  expect(data.user).toMatchObject({ id, email, aud: 'authenticated', role: 'authenticated', phone: '' });
  expect(data.user?.app_metadata).toEqual({ provider: 'email', providers: ['email'], plan: 'pro' });
  expect(data.user?.user_metadata).toEqual({ city: 'Ipoh' });
  expect(data.user?.email_confirmed_at).toBeUndefined();
  expect(data.user?.identities).toHaveLength(1);
  expect(await signIn(email)).toEqual(refusedByApi(400, 'email_not_confirmed'));
  const confirmed = await admin.updateUserById(id, { email_confirm: true });
  expect(confirmed.data.user?.email_confirmed_at).toBeTruthy();
  expect(await signIn(email)).toBeUndefined();
});

test('users that are rejected', async () => {
  const admin = operator();
  const { email: taken, id: takenId } = await signedUp();
  const { email } = somebodyNew();
  const password = PASSWORD;
  const cases: [AdminUserAttributes, Refusal, string?][] = [
    [{}, MALFORMED, 'Cannot create a user without either an email or phone'],
    [{ email: taken, password }, TAKEN, 'A user with this email address has already been registered'],
    [{ email: 'nobody' }, MALFORMED, 'Unable to validate email address: invalid format'],
    [{ phone: 'nobody' }, MALFORMED, 'Invalid phone number format (E.164 required)'],
    [{ email, password, password_hash: '$2y$10$' }, MALFORMED],
    [{ email, password: 'x'.repeat(73) }, MALFORMED, 'Password cannot be longer than 72 characters'],
    [{ email, ban_duration: 'a while' }, MALFORMED],
    [{ email, id: '00000000-0000-0000-0000-000000000000' }, MALFORMED],
    [{ email, id: 'me' }, MALFORMED],
  ];
  for (const [attributes, expected, message] of cases) {
    const { data, error } = await admin.createUser(attributes);
    expect(refusal(error), JSON.stringify(attributes)).toEqual(expected);
    if (message) expect(error?.message).toBe(message);
    expect(data.user).toBeNull();
  }
  expect((await admin.getUserById(takenId)).data.user?.email).toBe(taken);
});

test('users are listed page by page, newest first', async () => {
  const admin = operator();
  const { id } = await signedUp();
  let total = 0;
  // The server counts and reads in two queries: another test may create a user in between.
  await eventually(async () => {
    const all = await admin.listUsers({ perPage: 1000 });
    if (all.error) throw all.error;
    total = all.data.total;
    // A server that has run many tests has more than one page of users.
    const lastPage = Math.ceil(total / 1000);
    expect(all.data).toMatchObject({ aud: 'authenticated', nextPage: lastPage > 1 ? 2 : null, lastPage });
    expect(all.data.users).toHaveLength(Math.min(total, 1000));
  }, 5_000);

  // Two and a half pages, so that users created by other tests do not add a fourth.
  const perPage = Math.ceil(total / 2.5);
  const pages = [];
  for (const page of [1, 2, 3]) {
    const { data, error } = await admin.listUsers({ page, perPage });
    if (error) throw error;
    expect([data.nextPage, data.lastPage]).toEqual([page < 3 ? page + 1 : null, 3]);
    expect(Math.abs(data.total - total)).toBeLessThan(perPage / 2);
    pages.push(data.users);
  }
  expect(pages.slice(0, 2).map((users) => users.length)).toEqual([perPage, perPage]);
  expect(pages[0]?.map((user) => user.id)).toContain(id);
  const times = pages.flat().map((user) => Date.parse(user.created_at));
  expect(times).toEqual(times.toSorted((a, b) => b - a));
  const beyond = await admin.listUsers({ page: 9, perPage });
  expect(beyond.data).toMatchObject({ users: [], nextPage: null, lastPage: 3 });

  const negative = await admin.listUsers({ page: -1 });
  expect(refusal(negative.error)).toEqual(MALFORMED);
  expect(negative.error?.message).toMatch(/^Bad Pagination Parameters: /);
});

test('a ban takes effect immediately and can be lifted', async () => {
  const admin = operator();
  const { auth, email, id } = await signedUp();

  const banned = await admin.updateUserById(id, { ban_duration: '24h' });
  const until = Date.parse(banned.data.user?.banned_until ?? '');
  expect(Math.abs(until - Date.now() - 86_400_000)).toBeLessThan(60_000);
  expect(await signIn(email)).toEqual(BANNED);
  expect(refusal((await auth.getUser()).error)).toEqual(refusedByApi(403, 'user_banned'));
  expect(refusal((await auth.refreshSession()).error)).toEqual(BANNED);
  expect(refusal((await admin.updateUserById(id, { ban_duration: 'a while' })).error)).toEqual(MALFORMED);

  const lifted = await admin.updateUserById(id, { ban_duration: 'none' });
  expect(lifted.data.user?.banned_until).toBeUndefined();
  expect((await auth.getUser()).data.user?.email).toBe(email);
});

test('an operator changes data, address and password', async () => {
  const admin = operator();
  const { auth, email, id } = await signedUp();

  await admin.updateUserById(id, { app_metadata: { plan: 'pro', seats: 2 }, user_metadata: { city: 'Ipoh' } });
  const changed = await admin.updateUserById(id, { app_metadata: { seats: null }, user_metadata: { city: null } });
  const app_metadata = { provider: 'email', providers: ['email'], plan: 'pro' };
  expect(changed.data.user?.app_metadata).toEqual(app_metadata);
  expect(changed.data.user?.user_metadata).toEqual({ user_type: 'influencer', email_verified: true });
  await auth.refreshSession();
  expect((await auth.getClaims()).data?.claims.app_metadata).toEqual(app_metadata);

  const next = `next-${email}`;
  const moved = await admin.updateUserById(id, { email: next });
  expect(moved.data.user).toMatchObject({ email: next, identities: [{ email: next }] });
  expect((await auth.getUser()).data.user?.email).toBe(next);
  const { email: taken } = await signedUp();
  expect(refusal((await admin.updateUserById(id, { email: taken })).error)).toEqual(TAKEN);

  expect((await admin.updateUserById(id, { password: ANOTHER_PASSWORD })).error).toBeNull();
  expect(refusal((await auth.getUser()).error)).toEqual(SESSION_MISSING);
  expect(await signIn(next)).toEqual(WRONG_PASSWORD);
  expect(await signIn(next, ANOTHER_PASSWORD)).toBeUndefined();
});

test("an operator sets a phone number, which can't be used to sign in", async () => {
  const admin = operator();
  // Numbers are unique, and earlier runs have set theirs.
  const number = () => `60${String(Date.now()).slice(-7)}${Math.floor(Math.random() * 900) + 100}`;
  const { id } = await signedUp();
  const phone = number();
  const noted = await admin.updateUserById(id, { phone: `+${phone}`, phone_confirm: true });
  expect(noted.data.user).toMatchObject({ phone, app_metadata: { providers: ['email', 'phone'] } });
  expect(noted.data.user?.phone_confirmed_at).toBeTruthy();

  expect(refusal((await admin.createUser({ phone })).error)).toEqual(refusedByApi(422, 'phone_exists'));
  const alone = await admin.createUser({ phone: number(), password: PASSWORD });
  expect(alone.data.user).toMatchObject({ email: '', app_metadata: { provider: 'phone' } });
  const signedIn = await client().signInWithPassword({
    phone: alone.data.user?.phone ?? '',
    password: PASSWORD,
  });
  expect(refusal(signedIn.error)).toEqual(NO_PHONE);
});

for (const soft of [false, true]) {
  test(`a ${soft ? 'soft' : 'hard'} deletion ends sessions and frees the address`, async () => {
    const admin = operator();
    const { auth, email, id, session } = await signedUp();

    expect((await admin.deleteUser(id, soft)).error).toBeNull();

    const blank = { email: null, encrypted_password: null, raw_user_meta_data: {}, is_deleted: true };
    expect(await remains(id)).toEqual(soft ? [blank] : []);
    const left = await admin.getUserById(id);
    if (soft) expect(left.data.user?.deleted_at).toBeTruthy();
    else expect(refusal(left.error)).toEqual(UNKNOWN);
    expect(refusal((await auth.getUser()).error)).toEqual(soft ? SESSION_MISSING : refusedByApi(403, 'user_not_found'));
    const refreshed = await client().refreshSession(session);
    expect(refusal(refreshed.error)).toEqual(refusedByApi(400, 'refresh_token_not_found'));
    expect(await signIn(email)).toEqual(WRONG_PASSWORD);
    const again = await client().signUp({ email, password: PASSWORD });
    expect(again.data.user?.email).toBe(email);
    expect(again.data.user?.id).not.toBe(id);

    if (soft) expect((await admin.deleteUser(id)).error).toBeNull();
    expect(await remains(id)).toEqual([]);
    expect(refusal((await admin.deleteUser(id)).error)).toEqual(UNKNOWN);
  });
}

test('a guest can be invited again until the address is confirmed', async () => {
  const admin = operator();
  const { email } = somebodyNew();
  const redirectTo = `${baseURL}/vendor-auth`;

  const invited = await admin.inviteUserByEmail(email, { data: { user_type: 'vendor' }, redirectTo });
  expect(invited.error).toBeNull();
  expect(invited.data.user).toMatchObject({ email, user_metadata: { user_type: 'vendor' } });
  expect(invited.data.user?.email_confirmed_at).toBeUndefined();
  const first = await mailTo(email, 'invite');
  expect(parameter(first, 'redirect_to')).toBe(redirectTo);
  const twice = await admin.inviteUserByEmail(email);
  expect(twice.data.user?.id).toBe(invited.data.user?.id);
  const second = await secondMailTo(email, 'invite');

  const guest = client();
  const late = await guest.verifyOtp({ token_hash: parameter(first, 'token_hash'), type: 'invite' });
  expect(refusal(late.error)).toEqual(refusedByApi(403, 'otp_expired'));
  const came = await guest.verifyOtp({ token_hash: parameter(second, 'token_hash'), type: 'invite' });
  expect(came.data.user?.id).toBe(invited.data.user?.id);
  expect((await guest.updateUser({ password: PASSWORD })).error).toBeNull();
  await signedInAgain(email);
  expect(refusal((await admin.inviteUserByEmail(email)).error)).toEqual(TAKEN);
  expect(refusal((await admin.inviteUserByEmail('nobody')).error)).toEqual(MALFORMED);
});

type Admin = ReturnType<typeof operator>;
const CALLS: Record<string, (admin: Admin, id: string) => Promise<{ error: AuthError | null }>> = {
  createUser: (admin) => admin.createUser({ email: somebodyNew().email }),
  listUsers: (admin) => admin.listUsers(),
  getUserById: (admin, id) => admin.getUserById(id),
  updateUserById: (admin, id) => admin.updateUserById(id, { app_metadata: { plan: 'pro' } }),
  deleteUser: (admin, id) => admin.deleteUser(id),
  inviteUserByEmail: (admin) => admin.inviteUserByEmail(somebodyNew().email),
  generateLink: (admin) => admin.generateLink({ type: 'magiclink', email: somebodyNew().email }),
  listFactors: (admin, userId) => admin.mfa.listFactors({ userId }),
};

test('only operators can call the admin API', async () => {
  const { auth, id, session } = await signedUp();
  const owner = client({ headers: bearer(session.access_token) }).admin;
  for (const [name, call] of Object.entries(CALLS)) {
    expect(refusal((await call(owner, id)).error), name).toEqual(refusedByApi(403, 'not_admin'));
    expect(refusal((await call(auth.admin, id)).error), name).toEqual(refusedByApi(401, 'no_authorization'));
  }
  expect((await auth.getUser()).data.user?.app_metadata).toEqual({ provider: 'email', providers: ['email'] });

  const nobody = crypto.randomUUID();
  for (const name of ['getUserById', 'updateUserById', 'deleteUser']) {
    expect(refusal((await CALLS[name]?.(operator(), nobody))?.error ?? null), name).toEqual(UNKNOWN);
    await expect(CALLS[name]?.(operator(), 'me')).rejects.toThrow();
  }
});

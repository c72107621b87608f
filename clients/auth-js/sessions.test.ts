// auth-js sessions: refresh, transfer to another client, shared storage, sign-out, user and claims.

import type { AuthChangeEvent, SignOut } from '@supabase/auth-js';
import { expect, test } from 'vitest';
import {
  ANOTHER_PASSWORD,
  bearer,
  client,
  memory,
  operator,
  PASSWORD,
  type Refusal,
  refusal,
  refusedByApi,
  SESSION_MISSING,
  STORAGE_KEY,
  signedInAgain,
  signedUp,
} from './clients';
import { mailTo } from './mails';
import { refreshedAMinuteAgo } from './rows';
import { claimsOf, expired, forged, resigned, signed } from './tokens';

const UNKNOWN_TOKEN = 'aaaaaaaaaaaa';

test('a session is refreshed and continues in another client', async () => {
  const { auth, email, session } = await signedUp();

  const refreshed = await auth.refreshSession();
  expect(refreshed.error).toBeNull();
  expect(refreshed.data.user?.email).toBe(email);
  const { access_token = '', refresh_token = '' } = refreshed.data.session ?? {};
  expect(refresh_token).not.toBe(session.refresh_token);
  expect(claimsOf(access_token).session_id).toBe(claimsOf(session.access_token).session_id);

  const other = client();
  const taken = await other.setSession({ access_token, refresh_token });
  expect(taken.error).toBeNull();
  expect(taken.data.session).toMatchObject({ refresh_token, user: { email } });
  expect((await other.getUser()).data.user?.email).toBe(email);

  const late = client();
  const renewed = await late.setSession({ access_token: expired(access_token), refresh_token });
  expect(renewed.error).toBeNull();
  expect(renewed.data.session?.refresh_token).not.toBe(refresh_token);
  expect((await late.getUser()).data.user?.email).toBe(email);
});

test('setSession rejects invalid tokens', async () => {
  const { auth, session } = await signedUp();
  const { access_token, refresh_token } = session;
  const over = expired(access_token);
  const ended = (await signedUp()).session;
  await operator().deleteUser(ended.user.id);
  const cases: [string, string, Refusal][] = [
    [over, UNKNOWN_TOKEN, refusedByApi(400, 'refresh_token_not_found')],
    [over, 'short', refusedByApi(400, 'validation_failed')],
    [over, ended.refresh_token, refusedByApi(400, 'refresh_token_not_found')],
    [forged(access_token), refresh_token, refusedByApi(403, 'bad_jwt')],
    [ended.access_token, ended.refresh_token, refusedByApi(403, 'user_not_found')],
    ['', refresh_token, SESSION_MISSING],
    [access_token, '', SESSION_MISSING],
  ];
  for (const [access, refresh, expected] of cases) {
    const asker = client();
    const { data, error } = await asker.setSession({ access_token: access, refresh_token: refresh });
    expect(refusal(error)).toEqual(expected);
    expect(data.session).toBeNull();
    expect((await asker.getSession()).data.session).toBeNull();
  }
  expect(refusal((await client().refreshSession()).error)).toEqual(SESSION_MISSING);
  expect((await auth.getUser()).error).toBeNull();
});

test('two clients can refresh with the same token at the same time', async () => {
  const { email, session } = await signedUp();
  const clients = [client(), client()];

  const answers = await Promise.all(clients.map((auth) => auth.refreshSession(session)));

  for (const [n, auth] of clients.entries()) {
    expect(answers[n]?.error).toBeNull();
    expect(answers[n]?.data.session?.refresh_token).not.toBe(session.refresh_token);
    expect((await auth.getUser()).data.user?.email).toBe(email);
    expect((await auth.refreshSession()).error).toBeNull();
  }
});

test('reusing an old refresh token ends the session', async () => {
  const { auth, id, session } = await signedUp();
  await auth.refreshSession();
  const living = (await auth.refreshSession()).data.session?.refresh_token ?? '';
  await refreshedAMinuteAgo(id);

  const thief = await client().refreshSession(session);

  const used = refusedByApi(400, 'refresh_token_already_used');
  expect(refusal(thief.error)).toEqual(used);
  expect(thief.error?.message).toBe('Invalid Refresh Token: Already Used');
  expect(refusal((await client().refreshSession({ refresh_token: living })).error)).toEqual(used);
});

test('two clients that share a storage both refresh an expiring session', async () => {
  const { email, session } = await signedUp();
  const storage = memory();
  const soon = Math.floor(Date.now() / 1000) + 30;
  storage.setItem(STORAGE_KEY, JSON.stringify({ ...session, expires_at: soon }));
  const stored = () => JSON.parse(storage.getItem(STORAGE_KEY) ?? '{}');

  const tabs = [1, 2].map(() => client({ storage, autoRefreshToken: true }));
  await expect.poll(() => stored().expires_at).toBeGreaterThan(soon + 60);

  for (const tab of tabs) {
    const { data, error } = await tab.getSession();
    expect(error).toBeNull();
    expect(data.session).toMatchObject({ refresh_token: stored().refresh_token, user: { email } });
    expect(data.session?.refresh_token).not.toBe(session.refresh_token);
    expect((await tab.refreshSession()).error).toBeNull();
    expect((await tab.getUser()).data.user?.email).toBe(email);
  }
  await Promise.all(tabs.map((tab) => tab.dispose()));
});

/** Whether the session that signs out and another one of the account are still valid. */
const SCOPES: [NonNullable<SignOut['scope']>, own: boolean, other: boolean][] = [
  ['local', false, true],
  ['others', true, false],
  ['global', false, false],
];

for (const [scope, own, other] of SCOPES) {
  test(`signing out: ${scope}`, async () => {
    for (const asOperator of [false, true]) {
      const mine = await signedUp();
      const another = await signedInAgain(mine.email);
      const { access_token } = mine.session;

      const signOut = asOperator ? operator().signOut(access_token, scope) : mine.auth.signOut({ scope });
      expect((await signOut).error).toBeNull();

      if (!asOperator) expect((await mine.auth.getSession()).data.session !== null).toBe(own);
      for (const [session, isIn] of [
        [mine.session, own],
        [another.session, other],
      ] as const) {
        const user = await client().getUser(session.access_token);
        expect(refusal(user.error)).toEqual(isIn ? undefined : SESSION_MISSING);
        const refreshed = await client().refreshSession(session);
        expect(refreshed.error?.code).toBe(isIn ? undefined : 'refresh_token_not_found');
      }
    }
  });
}

test('signing out without a valid session', async () => {
  const { auth, session } = await signedUp();
  const admin = operator();
  expect((await client().signOut()).error).toBeNull();
  expect(refusal((await admin.signOut('x.y.z')).error)).toEqual(refusedByApi(403, 'bad_jwt'));
  await admin.signOut(session.access_token);
  expect(refusal((await admin.signOut(session.access_token)).error)).toEqual(SESSION_MISSING);

  expect((await auth.signOut()).error).toBeNull();
  expect((await auth.getSession()).data.session).toBeNull();
});

test('getUser with a token, with a session and with neither', async () => {
  const { auth, email, session } = await signedUp();
  const { access_token } = session;
  const nobody = client();
  expect((await auth.getUser()).data.user?.email).toBe(email);
  expect((await nobody.getUser(access_token)).data.user?.email).toBe(email);
  expect(refusal((await nobody.getUser()).error)).toEqual(SESSION_MISSING);

  const gone = await signedUp();
  await operator().deleteUser(gone.id);
  const banned = await signedUp();
  await operator().updateUserById(banned.id, { ban_duration: '1h' });
  const unknownSession = { session_id: crypto.randomUUID() };
  const cases: [string, Refusal, RegExp][] = [
    ['x.y.z', refusedByApi(403, 'bad_jwt'), /^invalid JWT/],
    [forged(access_token), refusedByApi(403, 'bad_jwt'), /^invalid JWT/],
    [expired(access_token), refusedByApi(403, 'bad_jwt'), /^invalid JWT/],
    [signed({ role: 'anon' }), refusedByApi(403, 'bad_jwt'), /^invalid claim: missing sub claim$/],
    [resigned(access_token, { sub: 'me' }), refusedByApi(400, 'bad_jwt'), /^invalid claim: sub claim must be a UUID$/],
    [gone.session.access_token, refusedByApi(403, 'user_not_found'), /^User from sub claim in JWT does not exist$/],
    [banned.session.access_token, refusedByApi(403, 'user_banned'), /^User is banned$/],
    [resigned(access_token, unknownSession), SESSION_MISSING, /^Auth session missing!$/],
  ];
  for (const [token, expected, message] of cases) {
    const { data, error } = await client().getUser(token);
    expect(refusal(error)).toEqual(expected);
    expect(error?.message).toMatch(message);
    expect(data.user).toBeNull();
  }
  const stranger = await client({ hasCustomAuthorizationHeader: true }).getUser();
  expect(refusal(stranger.error)).toEqual(refusedByApi(401, 'no_authorization'));
  const byHeader = client({ hasCustomAuthorizationHeader: true, headers: bearer(access_token) });
  expect((await byHeader.getUser()).data.user?.email).toBe(email);
});

test('claims of an HS256 token are verified by the server', async () => {
  const { auth, email, id, session } = await signedUp();

  const { data, error } = await auth.getClaims();
  expect(error).toBeNull();
  expect(data?.header).toMatchObject({ alg: 'HS256', typ: 'JWT' });
  expect(data?.claims).toMatchObject({
    iss: expect.stringMatching(/\/auth\/v1$/),
    sub: id,
    aud: 'authenticated',
    role: 'authenticated',
    email,
    phone: '',
    aal: 'aal1',
    amr: [{ method: 'password', timestamp: expect.any(Number) }],
    session_id: expect.any(String),
    is_anonymous: false,
    app_metadata: { provider: 'email', providers: ['email'] },
    user_metadata: { user_type: 'influencer', email_verified: true },
  });
  expect((data?.claims.exp ?? 0) - (data?.claims.iat ?? 0)).toBe(3600);

  const nobody = client();
  expect(await nobody.getClaims()).toEqual({ data: null, error: null });
  const { access_token } = session;
  const asked = async (token: string, allowExpired = false) =>
    refusal((await nobody.getClaims(token, { allowExpired })).error);
  expect(await asked(access_token)).toBeUndefined();
  expect(await asked(forged(access_token))).toEqual(refusedByApi(403, 'bad_jwt'));
  expect(await asked(expired(access_token))).toEqual(['AuthInvalidJwtError', 400, 'invalid_jwt']);
  expect(await asked(expired(access_token), true)).toEqual(refusedByApi(403, 'bad_jwt'));
  await auth.signOut();
  expect(await asked(access_token)).toEqual(SESSION_MISSING);
});

test('events arrive in order', async () => {
  const storage = memory();
  const events: AuthChangeEvent[] = [];
  const { auth, email, id } = await signedUp({ storage });
  const { subscription } = auth.onAuthStateChange((event) => void events.push(event)).data;
  await expect.poll(() => events).toEqual(['INITIAL_SESSION']);

  await auth.refreshSession();
  await auth.updateUser({ data: { city: 'Ipoh' } });
  await auth.signOut({ scope: 'others' });
  await auth.signOut();
  await auth.resetPasswordForEmail(email);
  const token = (await mailTo(email, 'recovery')).code ?? '';
  await auth.verifyOtp({ email, token, type: 'recovery' });
  await auth.updateUser({ password: ANOTHER_PASSWORD });
  await auth.signInWithPassword({ email, password: ANOTHER_PASSWORD });

  const told = ['TOKEN_REFRESHED', 'USER_UPDATED', 'SIGNED_OUT', 'PASSWORD_RECOVERY', 'USER_UPDATED', 'SIGNED_IN'];
  expect(events).toEqual(['INITIAL_SESSION', ...told]);
  subscription.unsubscribe();
  await auth.refreshSession();
  expect(events).toHaveLength(1 + told.length);

  const again: [AuthChangeEvent, string | undefined][] = [];
  client({ storage }).onAuthStateChange((event, session) => void again.push([event, session?.user.email]));
  await expect
    .poll(() => again)
    .toEqual([
      ['SIGNED_IN', email],
      ['INITIAL_SESSION', email],
    ]);
  // A client notices at its next request.
  await operator().updateUserById(id, { password: PASSWORD });
  expect(refusal((await auth.getUser()).error)).toEqual(SESSION_MISSING);
  expect((await auth.getSession()).data.session).toBeNull();
});

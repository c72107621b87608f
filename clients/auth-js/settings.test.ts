// auth-js against servers with other settings.

import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, test as base, beforeAll, expect } from 'vitest';
import { somebodyNew } from '../../frontend/e2e/people';
import { ANOTHER_PASSWORD, client, operator, PASSWORD, refusal, refusedByApi, signedUp } from './clients';
import { type OwnServer, ownServer } from './own-server';
import { claimsOf } from './tokens';

const test = base.skipIf(!process.env.SERASI && !process.env.CI);

const kid = crypto.randomUUID();
const key = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' });
const JWT_SIGNING_KEYS = JSON.stringify({ keys: [{ ...key, kid, alg: 'ES256', use: 'sig' }] });

/** Has a list of common passwords, requires the current one for a new one, and signs with a public key. */
let strict: OwnServer;
let shortTokens: OwnServer;
let closed: OwnServer;
let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'serasi-common-passwords-'));
  const AUTH_COMMON_PASSWORDS = join(folder, 'common.txt');
  await writeFile(AUTH_COMMON_PASSWORDS, 'letmein123\n');
  [strict, shortTokens, closed] = await Promise.all([
    ownServer({ JWT_SIGNING_KEYS, AUTH_COMMON_PASSWORDS, AUTH_REQUIRE_CURRENT_PASSWORD: 'on' }),
    ownServer({ AUTH_ACCESS_TOKEN_SECONDS: '60' }),
    ownServer({ AUTH_SIGNUPS: 'off' }),
  ]);
});

afterAll(async () => {
  await Promise.all([strict, shortTokens, closed].map((server) => server?.close()));
  await rm(folder, { recursive: true, force: true });
});

/** A fetch for clients that records the requested paths. */
function listening() {
  const asked: string[] = [];
  const listen: typeof fetch = (resource, options) => {
    asked.push(new URL(String(resource)).pathname.replace('/auth/v1', ''));
    return fetch(resource, options);
  };
  return { asked, listen };
}

test("claims of an ES256 token are verified with the server's public keys, without another request", async () => {
  const { asked, listen } = listening();
  const { auth, id, email, session } = await signedUp({ fetch: listen }, strict.url);
  asked.length = 0;

  const { data, error } = await auth.getClaims();

  expect(error).toBeNull();
  expect(data?.header).toEqual({ alg: 'ES256', typ: 'JWT', kid });
  expect(data?.claims).toMatchObject({ sub: id, email, role: 'authenticated', aal: 'aal1' });
  expect((await auth.getClaims(session.access_token)).data?.claims).toEqual(data?.claims);
  expect(asked).toEqual(['/.well-known/jwks.json']);

  const [header, , signature] = session.access_token.split('.');
  const promoted = Buffer.from(JSON.stringify({ ...data?.claims, role: 'service_role' })).toString('base64url');
  const { error: wrong } = await auth.getClaims([header, promoted, signature].join('.'));
  expect(refusal(wrong)).toEqual(['AuthInvalidJwtError', 400, 'invalid_jwt']);
  expect((await auth.getUser()).data.user?.email).toBe(email);
  // The shared server has the same sessions, but not this key.
  expect(refusal((await client().getUser(session.access_token)).error)).toEqual(refusedByApi(403, 'bad_jwt'));
});

test('getSession refreshes a token that is about to expire, once for concurrent calls', async () => {
  const { asked, listen } = listening();
  const { auth, email, session } = await signedUp({ fetch: listen }, shortTokens.url);
  expect(session.expires_in).toBe(60);
  expect(Number(claimsOf(session.access_token).exp) - Number(claimsOf(session.access_token).iat)).toBe(60);
  asked.length = 0;

  const both = await Promise.all([auth.getSession(), auth.getSession()]);

  expect(asked).toEqual(['/token']);
  const [first, second] = both.map(({ data }) => data.session?.refresh_token);
  expect(first).toBe(second);
  expect(first).not.toBe(session.refresh_token);
  expect((await auth.getUser()).data.user?.email).toBe(email);
  expect(asked).toEqual(['/token', '/token', '/user']);
});

test('sign-ups are disabled', async () => {
  const auth = client({}, closed.url);
  const { email } = somebodyNew();
  const off = refusedByApi(422, 'signup_disabled');
  const refused = await auth.signUp({ email, password: PASSWORD });
  expect(refusal(refused.error)).toEqual(off);
  expect(refused.error?.message).toBe('Signups not allowed for this instance');
  expect((await auth.signInWithOtp({ email })).error, 'as for an address that has an account').toBeNull();
  expect((await operator(closed.url).createUser({ email, password: PASSWORD, email_confirm: true })).error).toBeNull();
  expect((await auth.signInWithPassword({ email, password: PASSWORD })).error).toBeNull();
});

test('a new password requires the current one and must not be common', async () => {
  const { auth } = await signedUp({}, strict.url);
  const current_password = PASSWORD;
  for (const { error } of [
    await client({}, strict.url).signUp({ email: somebodyNew().email, password: 'LetMeIn123' }),
    await auth.updateUser({ password: 'LetMeIn123', current_password }),
  ]) {
    expect(refusal(error)).toEqual(['AuthWeakPasswordError', 422, 'weak_password']);
    expect(error).toMatchObject({ reasons: ['pwned'] });
  }

  const password = ANOTHER_PASSWORD;
  const missing = await auth.updateUser({ password });
  expect(refusal(missing.error)).toEqual(refusedByApi(400, 'current_password_required'));
  const guessed = await auth.updateUser({ password, current_password: 'guess' });
  expect(refusal(guessed.error)).toEqual(refusedByApi(400, 'current_password_invalid'));
  expect((await auth.updateUser({ password, current_password })).error).toBeNull();
});

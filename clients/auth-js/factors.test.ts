// auth-js and second factors: an authenticator app, the assurance level, recovery codes, and the requirements for
// admins.

import { PostgrestClient } from '@supabase/postgrest-js';
import { expect, test } from 'vitest';
import { codeOf, wrongCode } from '../../frontend/e2e/authenticator';
import { somebodyNew } from '../../frontend/e2e/people';
import { baseURL } from '../server';
import { bearer, type client, operator, PASSWORD, refusal, refusedByApi, signedInAgain, signedUp } from './clients';
import { usedNoCode } from './rows';

type Auth = ReturnType<typeof client>;

/** Adds an app, which must still verify a code. */
async function enrolled(auth: Auth, friendlyName = 'Phone') {
  const { data, error } = await auth.mfa.enroll({ factorType: 'totp', friendlyName, issuer: 'Serasi' });
  expect(error).toBeNull();
  if (data?.type !== 'totp') throw new Error('not an app');
  return { factorId: data.id, secret: data.totp.secret, totp: data.totp };
}

/** Adds an app with a verified code. */
async function protectedAccount(auth: Auth, userId: string) {
  const app = await enrolled(auth);
  const { error } = await auth.mfa.challengeAndVerify({ factorId: app.factorId, code: codeOf(app.secret) });
  expect(error).toBeNull();
  await usedNoCode(userId);
  return app;
}

const levelOf = async (auth: Auth) => (await auth.mfa.getAuthenticatorAssuranceLevel()).data;

test('an app is enrolled with a QR code and verified', async () => {
  const { auth, email, id, session } = await signedUp();
  expect(await levelOf(auth)).toMatchObject({ currentLevel: 'aal1', nextLevel: 'aal1' });

  const { factorId, secret, totp } = await enrolled(auth);
  expect(totp.qr_code).toMatch(/^data:image\/svg\+xml;utf-8,<svg.*<\/svg>$/s);
  expect(totp.uri).toContain(`otpauth://totp/Serasi:${email}?`);
  expect(totp.uri).toContain(`secret=${secret}`);
  expect((await auth.mfa.listFactors()).data).toMatchObject({
    all: [{ id: factorId, status: 'unverified' }],
    totp: [],
  });

  const challenge = await auth.mfa.challenge({ factorId });
  expect(challenge.data).toMatchObject({ type: 'totp', expires_at: expect.any(Number) });
  const challengeId = challenge.data?.id ?? '';
  const wrong = await auth.mfa.verify({ factorId, challengeId, code: wrongCode(secret) });
  expect(refusal(wrong.error)).toEqual(refusedByApi(422, 'mfa_verification_failed'));
  const { data, error } = await auth.mfa.verify({ factorId, challengeId, code: codeOf(secret) });

  expect(error).toBeNull();
  expect(data?.user.id).toBe(id);
  expect(data?.refresh_token).not.toBe(session.refresh_token);
  expect(await levelOf(auth)).toMatchObject({
    currentLevel: 'aal2',
    nextLevel: 'aal2',
    currentAuthenticationMethods: [{ method: 'totp' }, { method: 'password' }],
  });
  expect((await auth.mfa.listFactors()).data?.totp).toMatchObject([
    { id: factorId, status: 'verified', friendly_name: 'Phone', factor_type: 'totp' },
  ]);
  const refreshed = await auth.refreshSession();
  expect(refreshed.error).toBeNull();
  expect(await levelOf(auth)).toMatchObject({ currentLevel: 'aal2' });
});

test('a later sign-in has the first level until its second step', async () => {
  const { auth, email, id } = await signedUp();
  const { factorId, secret } = await protectedAccount(auth, id);
  const again = await signedInAgain(email);
  expect(await levelOf(again.auth)).toMatchObject({ currentLevel: 'aal1', nextLevel: 'aal2' });

  const code = codeOf(secret);
  expect((await again.auth.mfa.challengeAndVerify({ factorId, code })).error).toBeNull();

  expect(await levelOf(again.auth)).toMatchObject({ currentLevel: 'aal2' });
  const third = await signedInAgain(email);
  const replayed = await third.auth.mfa.challengeAndVerify({ factorId, code });
  expect(refusal(replayed.error)).toEqual(refusedByApi(422, 'mfa_verification_failed'));
  expect((await auth.getUser()).error, 'the first session had its second step').toBeNull();
});

test('rejected requests', async () => {
  const { auth, email, id } = await signedUp();
  const { factorId } = await protectedAccount(auth, id);
  const first = (await signedInAgain(email)).auth;
  expect(refusal((await first.mfa.enroll({ factorType: 'totp', friendlyName: 'Tablet' })).error)).toEqual(
    refusedByApi(403, 'insufficient_aal'),
  );
  expect(refusal((await first.mfa.unenroll({ factorId })).error)).toEqual(refusedByApi(422, 'insufficient_aal'));
  expect(refusal((await first.updateUser({ password: 'another battery staple' })).error)).toEqual(
    refusedByApi(401, 'insufficient_aal'),
  );
  expect(refusal((await auth.mfa.enroll({ factorType: 'totp', friendlyName: 'Phone' })).error)).toEqual(
    refusedByApi(422, 'mfa_factor_name_conflict'),
  );
  const unknown = crypto.randomUUID();
  const noFactor = refusedByApi(404, 'mfa_factor_not_found');
  expect(refusal((await auth.mfa.challenge({ factorId: unknown })).error)).toEqual(noFactor);
  expect(refusal((await auth.mfa.unenroll({ factorId: unknown })).error)).toEqual(noFactor);
  const challengeless = await auth.mfa.verify({ factorId, challengeId: unknown, code: '000000' });
  expect(refusal(challengeless.error)).toEqual(refusedByApi(422, 'mfa_factor_not_found'));
});

test('a sixth attempt waits', async () => {
  const { auth, id } = await signedUp();
  const { factorId, secret } = await protectedAccount(auth, id);
  const code = wrongCode(secret);
  for (let attempt = 0; attempt < 5; attempt++) {
    const { error } = await auth.mfa.challengeAndVerify({ factorId, code });
    expect(refusal(error)).toEqual(refusedByApi(422, 'mfa_verification_failed'));
  }
  const { error } = await auth.mfa.challengeAndVerify({ factorId, code: codeOf(secret) });
  expect(refusal(error)).toEqual(refusedByApi(429, 'over_request_rate_limit'));
});

test('an app is removed', async () => {
  const { auth, id } = await signedUp();
  const { factorId } = await protectedAccount(auth, id);

  const { data, error } = await auth.mfa.unenroll({ factorId });

  expect(error).toBeNull();
  expect(data).toEqual({ id: factorId });
  expect((await auth.mfa.listFactors()).data?.all).toEqual([]);
  await auth.refreshSession();
  expect(await levelOf(auth)).toMatchObject({ currentLevel: 'aal1', nextLevel: 'aal1' });
});

test('recovery codes replace the app, through the same call', async () => {
  const { auth, email, id } = await signedUp();
  const { factorId } = await protectedAccount(auth, id);
  const token = (await auth.getSession()).data.session?.access_token;
  const path = `${baseURL}/auth/v1/factors/recovery-codes`;
  const made = await fetch(path, { method: 'POST', headers: bearer(token) });
  const { codes } = (await made.json()) as { codes: string[] };
  expect(codes).toHaveLength(10);

  const again = await signedInAgain(email);
  const { error } = await again.auth.mfa.challengeAndVerify({ factorId, code: codes[0] ?? '' });

  expect(error).toBeNull();
  expect(await levelOf(again.auth)).toMatchObject({
    currentLevel: 'aal2',
    currentAuthenticationMethods: [{ method: 'recovery_code' }, { method: 'password' }],
  });
  const left = await fetch(path, { headers: bearer((await again.auth.getSession()).data.session?.access_token) });
  expect(await left.json()).toMatchObject({ type: 'recovery_code', total: 10, remaining: 9 });
});

test('an operator lists and deletes factors', async () => {
  const { auth, id } = await signedUp();
  const { factorId } = await protectedAccount(auth, id);
  const admin = operator();

  const { data } = await admin.mfa.listFactors({ userId: id });
  expect(data?.factors).toMatchObject([{ id: factorId, status: 'verified', factor_type: 'totp' }]);
  expect((await admin.mfa.deleteFactor({ userId: id, id: factorId })).error).toBeNull();

  expect((await admin.mfa.listFactors({ userId: id })).data).toEqual({ factors: [] });
  const again = await admin.mfa.deleteFactor({ userId: id, id: factorId });
  expect(refusal(again.error)).toEqual(refusedByApi(404, 'mfa_factor_not_found'));
});

test('an admin with a factor acts as one after the second step only', async () => {
  const { email } = somebodyNew();
  const created = await operator().createUser({
    email,
    password: PASSWORD,
    email_confirm: true,
    app_metadata: { marketplace_role: 'superadmin' },
  });
  const id = created.data.user?.id ?? '';
  const { auth } = await signedInAgain(email);
  const sight = async (caller: Auth) => {
    const headers = bearer((await caller.getSession()).data.session?.access_token);
    const rest = new PostgrestClient(`${baseURL}/rest/v1`, { headers, retry: false });
    const counts = await rest.from('moderation_counts').select();
    const others = await rest.from('profiles').select('id').neq('id', id).limit(1);
    const log = await rest.from('audit_log').select('id').limit(1);
    const health = await rest.rpc('system_health');
    const admin = await fetch(`${baseURL}/functions/v1/create-admin`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'x', password: 'y' }),
    });
    const access = await rest.rpc('staff_access');
    return [counts.data?.length, others.data?.length, log.data?.length, health.status, admin.status, access.data];
  };
  expect(await sight(auth)).toEqual([1, 1, 1, 200, 400, 'granted']);
  const { factorId, secret } = await protectedAccount(auth, id);
  expect(await sight(auth)).toEqual([1, 1, 1, 200, 400, 'granted']);

  const again = (await signedInAgain(email)).auth;
  expect(await sight(again)).toEqual([0, 0, 0, 403, 403, 'verify']);
  await again.mfa.challengeAndVerify({ factorId, code: codeOf(secret) });
  expect(await sight(again)).toEqual([1, 1, 1, 200, 400, 'granted']);
});

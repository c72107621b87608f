// The newest supabase-js. The other tests use the versions that the app uses.

import { gzipSync } from 'node:zlib';
// biome-ignore lint/style/noRestrictedImports: the whole package is tested, and no page loads it
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import { expect, test } from 'vitest';
import ws from 'ws';
import { codeOf } from '../frontend/e2e/authenticator';
import { somebodyNew } from '../frontend/e2e/people';
import { PASSWORD } from './auth-js/clients';
import { baseURL } from './server';

const client = (key = process.env.SERVICE_ROLE_KEY ?? ''): SupabaseClient =>
  createClient(baseURL, key, {
    // Node.js before version 22 has no WebSocket.
    realtime: { transport: ws as never },
    auth: { persistSession: false, autoRefreshToken: false, experimental: { recoveryCodes: true } },
  });

/** A new account that an operator created. */
async function account() {
  const { email } = somebodyNew();
  const { data, error } = await client().auth.admin.createUser({ email, password: PASSWORD, email_confirm: true });
  expect(error).toBeNull();
  return { email, id: data.user?.id ?? '' };
}

async function signedIn(email: string) {
  const { auth } = client();
  const { error } = await auth.signInWithPassword({ email, password: PASSWORD });
  expect(error).toBeNull();
  return auth;
}

/** A new bucket. */
async function bucket() {
  const name = `newest-${crypto.randomUUID()}`;
  expect((await client().storage.createBucket(name, { public: true })).error).toBeNull();
  return client().storage.from(name);
}

test('recovery codes are generated, redeemed, replaced and removed', async () => {
  const { email } = await account();
  const auth = await signedIn(email);
  const { recoveryCodes } = auth.mfa;
  expect((await recoveryCodes.generate()).error?.code).toBe('insufficient_aal');
  const { data: app } = await auth.mfa.enroll({ factorType: 'totp', friendlyName: 'Phone' });
  if (app?.type !== 'totp') throw new Error('not an app');
  const verified = await auth.mfa.challengeAndVerify({ factorId: app.id, code: codeOf(app.totp.secret) });
  expect(verified.error).toBeNull();

  const { data: made } = await recoveryCodes.generate();
  expect(made).toMatchObject({ type: 'recovery_code', total: 10 });

  const again = await signedIn(email);
  const redeemed = await again.mfa.recoveryCodes.verify({ code: made?.codes[0] ?? '' });
  expect(redeemed.error).toBeNull();
  expect((await again.mfa.getAuthenticatorAssuranceLevel()).data?.currentLevel).toBe('aal2');
  expect((await again.mfa.recoveryCodes.getStatus()).data).toMatchObject({ id: made?.id, total: 10, remaining: 9 });
  const used = await again.mfa.recoveryCodes.verify({ code: made?.codes[0] ?? '' });
  expect(used.error).toMatchObject({ status: 422, code: 'mfa_verification_failed' });

  expect((await again.mfa.recoveryCodes.regenerate()).data?.codes).not.toContain(made?.codes[1]);
  expect((await again.mfa.recoveryCodes.unenroll()).data).toEqual({ id: made?.id });
  expect((await again.mfa.recoveryCodes.unenroll()).error?.code).toBe('mfa_factor_not_found');
});

test('a deleted account is returned', async () => {
  const { email, id } = await account();
  const { admin } = client().auth;
  expect((await admin.deleteUser(id)).data.user?.email).toBe(email);
  expect((await admin.deleteUser(id)).error?.code).toBe('user_not_found');
});

test('compressed files arrive decompressed, as bytes and as forms', async () => {
  const files = await bucket();
  const bytes = gzipSync('plain text');
  for (const [key, body] of [
    ['bytes.txt', bytes],
    ['form.txt', new Blob([bytes])],
  ] as const) {
    const uploaded = await files.upload(key, body, { contentType: 'text/plain', contentEncoding: 'gzip' });
    expect(uploaded.error).toBeNull();
    expect((await files.info(key)).data?.contentEncoding).toBe('gzip');
    expect(await (await files.download(key)).data?.text()).toBe('plain text');
  }
});

test.each(['a b.txt', 'p+q.txt', 'e@f=g,h;i:j.txt', "$&'().!*.txt"])(
  'a key with special characters works in all calls: %s',
  async (key) => {
    const files = await bucket();
    expect((await files.upload(key, 'hello')).data?.path).toBe(key);
    expect((await files.exists(key)).data).toBe(true);
    expect((await files.info(key)).data?.name).toBe(key);
    expect((await files.list()).data?.map(({ name }) => name)).toEqual([key]);
    const signed = await files.createSignedUrl(key, 60);
    for (const url of [files.getPublicUrl(key).data.publicUrl, signed.data?.signedUrl ?? ''])
      expect(await (await fetch(url)).text()).toBe('hello');
    expect((await files.remove([key])).data).toHaveLength(1);
    expect((await files.exists(key)).data).toBe(false);
  },
);

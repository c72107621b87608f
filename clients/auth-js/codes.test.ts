// auth-js verifies each kind of mail, with the code and with the link's token.

import type { EmailOtpType, VerifyOtpParams } from '@supabase/auth-js';
import { expect, test } from 'vitest';
import type { Mail } from '../../frontend/e2e/mailbox';
import { somebodyNew } from '../../frontend/e2e/people';
import { client, memory, operator, PASSWORD, refusal, refusedByApi, STORAGE_KEY, signedUp } from './clients';
import { followed, mailTo, parameter } from './mails';
import { followedSixMinutesAgo } from './rows';

const EXPIRED = refusedByApi(403, 'otp_expired');
const TOO_SOON = refusedByApi(429, 'over_email_send_rate_limit');
const MALFORMED = refusedByApi(400, 'validation_failed');

/** A vendor, who has to confirm the address first. */
async function vendor(): Promise<string> {
  const { email } = somebodyNew();
  const options = { data: { user_type: 'vendor' } };
  expect((await client().signUp({ email, password: PASSWORD, options })).error).toBeNull();
  return email;
}

async function guest(): Promise<string> {
  const { email } = somebodyNew();
  expect((await operator().inviteUserByEmail(email)).error).toBeNull();
  return email;
}

async function asksForLink(): Promise<string> {
  const { auth, email } = await signedUp();
  expect((await auth.signInWithOtp({ email })).error).toBeNull();
  return email;
}

async function forgetful(): Promise<string> {
  const { auth, email } = await signedUp();
  expect((await auth.resetPasswordForEmail(email)).error).toBeNull();
  return email;
}

const TYPES: [type: EmailOtpType, template: string, mailed: () => Promise<string>, other: EmailOtpType][] = [
  ['signup', 'confirmation', vendor, 'recovery'],
  ['invite', 'invite', guest, 'magiclink'],
  ['magiclink', 'magic_link', asksForLink, 'signup'],
  ['recovery', 'recovery', forgetful, 'invite'],
  ['email', 'confirmation', vendor, 'email_change'],
  ['email', 'magic_link', asksForLink, 'email_change'],
];

const WAYS: [string, (mail: Mail, type: EmailOtpType) => VerifyOtpParams, refused: string][] = [
  ['code', (mail, type) => ({ email: mail.to, token: mail.code ?? '', type }), 'Token has expired or is invalid'],
  [
    'link',
    (mail, type) => ({ token_hash: parameter(mail, 'token_hash'), type }),
    'Email link is invalid or has expired',
  ],
];

for (const [type, template, mailed, other] of TYPES) {
  for (const [way, proof, refused] of WAYS) {
    test(`a mail for ${template}, as ${type}, by ${way}`, async () => {
      const email = await mailed();
      const mail = await mailTo(email, template);
      const auth = client();
      expect(refusal((await auth.verifyOtp(proof(mail, other))).error)).toEqual(EXPIRED);

      const { data, error } = await auth.verifyOtp(proof(mail, type));

      expect(error).toBeNull();
      expect(data.user).toMatchObject({ email, email_confirmed_at: expect.any(String) });
      expect(data.user?.user_metadata.email_verified).toBe(true);
      expect((await auth.getUser()).data.user?.email).toBe(email);
      const again = await client().verifyOtp(proof(mail, type));
      expect(refusal(again.error)).toEqual(EXPIRED);
      expect(again.error?.message).toBe(refused);
    });
  }
}

for (const [way, proof] of WAYS) {
  for (const newFirst of [true, false]) {
    test(`an address changes by ${way}, ${newFirst ? 'the new' : 'the old'} address confirms first`, async () => {
      const { auth, email } = await signedUp();
      const next = `next-${email}`;
      expect((await auth.updateUser({ email: next })).error).toBeNull();
      const [first, second] = await Promise.all(
        (newFirst ? [next, email] : [email, next]).map((address) => mailTo(address, 'email_change')),
      );
      if (!first || !second) throw new Error('no mails');
      const reader = client();

      const half = await reader.verifyOtp(proof(first, 'email_change'));
      expect(half).toEqual({ data: { user: null, session: null }, error: null });
      expect(refusal((await reader.verifyOtp(proof(first, 'email_change'))).error)).toEqual(EXPIRED);
      expect((await auth.getUser()).data.user).toMatchObject({ email, new_email: next });

      const whole = await reader.verifyOtp(proof(second, 'email_change'));
      expect(whole.error).toBeNull();
      expect(whole.data.session?.user).toMatchObject({ email: next });
      expect(whole.data.user?.new_email).toBeUndefined();
      expect((await auth.getUser()).data.user?.email).toBe(next);
    });
  }
}

test('a magic link creates an account unless shouldCreateUser is false', async () => {
  const { email } = somebodyNew();
  const auth = client();
  // The response does not reveal whether the address has an account.
  const stranger = somebodyNew().email;
  const asked = { email: stranger, options: { shouldCreateUser: false } };
  expect(await auth.signInWithOtp(asked)).toEqual({ data: { user: null, session: null }, error: null });
  expect(refusal((await auth.signInWithOtp(asked)).error)).toEqual(TOO_SOON);

  const data = { user_type: 'influencer', city: 'Ipoh' };
  const opened = await auth.signInWithOtp({ email, options: { shouldCreateUser: true, data } });
  expect(opened).toEqual({ data: { user: null, session: null }, error: null });
  const token = (await mailTo(email, 'magic_link')).code ?? '';
  const verified = await auth.verifyOtp({ email, token, type: 'email' });
  expect(verified.data.user?.user_metadata).toEqual({ ...data, email_verified: true });

  const known = { email, options: { shouldCreateUser: false } };
  expect(refusal((await auth.signInWithOtp(known)).error)).toEqual(TOO_SOON);
});

test('codes and tokens that are rejected', async () => {
  const { auth, email, id } = await signedUp();
  await auth.resetPasswordForEmail(email);
  const mail = await mailTo(email, 'recovery');
  const [token, token_hash] = [mail.code ?? '', parameter(mail, 'token_hash')];
  const reader = client();
  const type = 'recovery';
  const cases: [object, ReturnType<typeof refusedByApi>, string][] = [
    [{ type, email }, MALFORMED, 'Verify requires either a token or a token hash'],
    [{ type, email, token, token_hash }, MALFORMED, 'Verify requires either a token or a token hash'],
    [{ type, email, token_hash }, MALFORMED, 'Only the token_hash and type should be provided'],
    [{ email, token }, MALFORMED, 'Verify requires a verification type'],
    [{ type, email: somebodyNew().email, token }, EXPIRED, 'Token has expired or is invalid'],
    [{ type, email, token: '000000x' }, EXPIRED, 'Token has expired or is invalid'],
    [{ type, token_hash: 'f'.repeat(56) }, EXPIRED, 'Email link is invalid or has expired'],
  ];
  for (const [params, expected, message] of cases) {
    // Also cases that the client's types forbid.
    const { data, error } = await reader.verifyOtp(params as VerifyOtpParams);
    expect(refusal(error), JSON.stringify(params)).toEqual(expected);
    expect(error?.message).toBe(message);
    expect(data).toEqual({ user: null, session: null });
  }
  await operator().updateUserById(id, { ban_duration: '1h' });
  const banned = await reader.verifyOtp({ token_hash, type });
  expect(refusal(banned.error)).toEqual(refusedByApi(403, 'user_banned'));
  await operator().updateUserById(id, { ban_duration: 'none' });
  expect((await reader.verifyOtp({ token_hash, type })).error).toBeNull();
});

/** A client that asked for a new password, and the code from the link in its mail. */
async function pkce() {
  const { email, id } = await signedUp();
  const storage = memory();
  const auth = client({ flowType: 'pkce', storage });
  expect((await auth.resetPasswordForEmail(email)).error).toBeNull();
  const place = await followed(await mailTo(email, 'recovery'));
  return { auth, id, storage, code: place.searchParams.get('code') ?? '' };
}

const VERIFIER = `${STORAGE_KEY}-code-verifier`;

test('PKCE: a code requires its verifier and can be used once', async () => {
  const { auth, code, storage } = await pkce();
  const verifier = storage.getItem(VERIFIER) ?? '';

  const without = await client({ flowType: 'pkce' }).exchangeCodeForSession(code);
  expect(refusal(without.error)).toEqual(['AuthPKCECodeVerifierMissingError', 400, 'pkce_code_verifier_not_found']);
  const other = memory();
  other.setItem(VERIFIER, JSON.stringify('x'.repeat(64)));
  const thief = await client({ flowType: 'pkce', storage: other }).exchangeCodeForSession(code);
  expect(refusal(thief.error)).toEqual(refusedByApi(400, 'bad_code_verifier'));
  const implicit = await client().exchangeCodeForSession(code);
  expect(refusal(implicit.error)).toEqual(MALFORMED);

  const exchanged = await auth.exchangeCodeForSession(code);
  expect(exchanged.error).toBeNull();
  expect(exchanged.data).toMatchObject({ redirectType: 'recovery' });
  expect((await auth.getClaims()).data?.claims.amr).toEqual([{ method: 'recovery', timestamp: expect.any(Number) }]);
  for (const used of [code, crypto.randomUUID()]) {
    storage.setItem(VERIFIER, verifier);
    expect(refusal((await auth.exchangeCodeForSession(used)).error)).toEqual(refusedByApi(404, 'flow_state_not_found'));
  }
});

test('PKCE: a code expires after five minutes', async () => {
  const { auth, code, id } = await pkce();
  await followedSixMinutesAgo(id);
  const late = await auth.exchangeCodeForSession(code);
  expect(refusal(late.error)).toEqual(refusedByApi(422, 'flow_state_expired'));
});

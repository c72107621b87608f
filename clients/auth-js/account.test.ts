// auth-js and one's own account: metadata, password, resent mails, identities.

import { isAuthWeakPasswordError } from '@supabase/auth-js';
import { expect, test } from 'vitest';
import { mailsTo } from '../../frontend/e2e/mailbox';
import { somebodyNew } from '../../frontend/e2e/people';
import { request } from '../server';
import {
  ANOTHER_PASSWORD,
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
import { mailedYesterday, signedInLongAgo } from './rows';

const TOO_SOON = refusedByApi(429, 'over_email_send_rate_limit');
const TOO_LONG = 'x'.repeat(73);

test('metadata is merged key by key, and null removes a key', async () => {
  const { auth } = await signedUp();
  const signUpData = { user_type: 'influencer', email_verified: true };

  const added = await auth.updateUser({ data: { city: 'Ipoh', tags: ['food'] } });
  expect(added.error).toBeNull();
  expect(added.data.user?.user_metadata).toEqual({ ...signUpData, city: 'Ipoh', tags: ['food'] });
  const changed = await auth.updateUser({ data: { city: null, tags: ['travel'] } });
  expect(changed.data.user?.user_metadata).toEqual({ ...signUpData, tags: ['travel'] });

  expect((await auth.getSession()).data.session?.user.user_metadata).toEqual({ ...signUpData, tags: ['travel'] });
  const { data } = await auth.refreshSession();
  expect((await auth.getClaims(data.session?.access_token)).data?.claims.user_metadata).toMatchObject({
    tags: ['travel'],
  });
});

test('account changes that are rejected', async () => {
  const { auth } = await signedUp();
  const { email: taken } = await signedUp();
  const cases: [Parameters<typeof auth.updateUser>[0], Refusal][] = [
    [{ email: taken }, refusedByApi(422, 'email_exists')],
    [{ email: 'nobody' }, refusedByApi(400, 'validation_failed')],
    [{ phone: '+60123456789' }, refusedByApi(400, 'phone_provider_disabled')],
    [{ password: PASSWORD }, refusedByApi(422, 'same_password')],
    [{ password: TOO_LONG }, refusedByApi(400, 'validation_failed')],
    // Not in the client's types, but callers can send it.
    [{ app_metadata: { plan: 'pro' } } as object, refusedByApi(403, 'not_admin')],
  ];
  for (const [attributes, expected] of cases) {
    const { data, error } = await auth.updateUser(attributes);
    expect(refusal(error), JSON.stringify(attributes)).toEqual(expected);
    expect(data.user).toBeNull();
  }
  expect(refusal((await client().updateUser({ data: {} })).error)).toEqual(SESSION_MISSING);
});

test('a weak password is rejected with reasons wherever one is set', async () => {
  const { auth, id } = await signedUp();
  const admin = operator();
  const weak = '12345';
  for (const { error } of [
    await client().signUp({ email: somebodyNew().email, password: weak }),
    await auth.updateUser({ password: weak }),
    await admin.updateUserById(id, { password: weak }),
    await admin.generateLink({ type: 'signup', email: somebodyNew().email, password: weak }),
  ]) {
    expect(isAuthWeakPasswordError(error)).toBe(true);
    expect(error).toMatchObject({ status: 422, code: 'weak_password', reasons: ['length'] });
    expect(error?.message).toBe('Password should be at least 6 characters.');
  }

  // An operator may set one; each sign-in then reports it.
  const { email } = somebodyNew();
  expect((await admin.createUser({ email, password: weak, email_confirm: true })).error).toBeNull();
  const signedIn = await client().signInWithPassword({ email, password: weak });
  expect(signedIn.error).toBeNull();
  expect(signedIn.data.weakPassword).toEqual({ message: expect.any(String), reasons: ['length'] });
});

test('an old session requires a mailed code to change the password', async () => {
  const { auth, email, id } = await signedUp();
  const elsewhere = await signedInAgain(email);
  await signedInLongAgo(id);
  const password = ANOTHER_PASSWORD;

  expect(refusal((await auth.updateUser({ password })).error)).toEqual(refusedByApi(400, 'reauthentication_needed'));
  expect((await auth.reauthenticate()).error).toBeNull();
  expect(refusal((await auth.reauthenticate()).error)).toEqual(TOO_SOON);
  const nonce = (await mailTo(email, 'reauthentication')).code ?? '';
  const guessed = await auth.updateUser({ password, nonce: '000000x' });
  expect(refusal(guessed.error)).toEqual(refusedByApi(422, 'reauthentication_not_valid'));
  expect((await auth.updateUser({ password, nonce })).error).toBeNull();

  expect((await auth.getUser()).error).toBeNull();
  expect(refusal((await elsewhere.auth.getUser()).error)).toEqual(SESSION_MISSING);
  const old = await client().signInWithPassword({ email, password: PASSWORD });
  expect(refusal(old.error)).toEqual(refusedByApi(400, 'invalid_credentials'));
  expect((await signedInAgain(email, password)).session.user.id).toBe(id);
  expect(refusal((await client().reauthenticate()).error)).toEqual(SESSION_MISSING);
});

test('the confirmation mail is resent', async () => {
  const { email } = somebodyNew();
  const auth = client();
  const { data } = await auth.signUp({ email, password: PASSWORD, options: { data: { user_type: 'vendor' } } });
  const first = await mailTo(email, 'confirmation');

  expect(refusal((await auth.resend({ type: 'signup', email })).error)).toEqual(TOO_SOON);
  await mailedYesterday(data.user?.id ?? '');
  const resent = await auth.resend({ type: 'signup', email });
  expect(resent).toEqual({ data: { user: null, session: null }, error: null });

  const second = await secondMailTo(email, 'confirmation');
  const void_ = await auth.verifyOtp({ token_hash: parameter(first, 'token_hash'), type: 'signup' });
  expect(refusal(void_.error)).toEqual(refusedByApi(403, 'otp_expired'));
  const confirmed = await auth.verifyOtp({ email, token: second.code ?? '', type: 'signup' });
  expect(confirmed.data.session?.user.email).toBe(email);
});

test('the mails about a new address are resent', async () => {
  const { auth, email, id } = await signedUp();
  const next = `next-${email}`;
  await auth.updateUser({ email: next });

  expect(refusal((await auth.resend({ type: 'email_change', email })).error)).toEqual(TOO_SOON);
  await mailedYesterday(id);
  expect((await auth.resend({ type: 'email_change', email })).error).toBeNull();

  for (const address of [next, email]) {
    const token = (await secondMailTo(address, 'email_change')).code ?? '';
    expect((await auth.verifyOtp({ email: address, token, type: 'email_change' })).error).toBeNull();
  }
  expect((await auth.getUser()).data.user?.email).toBe(next);
});

test('resending does not reveal whether an account exists', async () => {
  const { auth, email } = await signedUp();
  const unknown = somebodyNew().email;
  const asked = [
    { type: 'signup', email },
    { type: 'signup', email: unknown },
    { type: 'email_change', email },
    { type: 'email_change', email: unknown },
    { type: 'sms', phone: '+60123456789' },
    { type: 'phone_change', phone: '+60123456789' },
  ] as const;
  const resent = await Promise.all(asked.map((mail) => auth.resend(mail)));
  for (const [n, { error }] of resent.entries()) expect(error, JSON.stringify(asked[n])).toBeNull();
  for (const type of ['recovery', 'magiclink'] as const) {
    const { error } = await auth.resend({ type: type as 'signup', email });
    expect(refusal(error)).toEqual(refusedByApi(400, 'validation_failed'));
    expect(error?.message).toBe('Missing one of these types: signup, email_change, sms, phone_change');
  }
  // Requested last: mails requested earlier would have arrived by then.
  await auth.resetPasswordForEmail(email);
  await mailTo(email, 'recovery');
  // And the confirmation, because the account has signed in without it.
  expect(await mailsTo(request, email)).toHaveLength(2);
  expect(await mailsTo(request, unknown)).toEqual([]);
});

test("an account has one identity, which can't be unlinked or joined by another", async () => {
  const { auth, email, id } = await signedUp();

  const { data, error } = await auth.getUserIdentities();
  expect(error).toBeNull();
  expect(data?.identities).toEqual([
    {
      identity_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      id,
      user_id: id,
      identity_data: expect.objectContaining({ sub: id, email, phone_verified: false, user_type: 'influencer' }),
      provider: 'email',
      last_sign_in_at: expect.any(String),
      created_at: expect.any(String),
      updated_at: expect.any(String),
      email,
    },
  ]);
  const [identity] = data?.identities ?? [];
  if (!identity) throw new Error('no identity');
  const linkingOff = refusedByApi(404, 'manual_linking_disabled');
  const linked = await auth.linkIdentity({ provider: 'google' });
  expect([linked.data, refusal(linked.error)]).toEqual([{ provider: 'google', url: null }, linkingOff]);
  expect(linked.error?.message).toBe('Manual linking is disabled');
  expect(refusal((await auth.unlinkIdentity(identity)).error)).toEqual(linkingOff);
  const byToken = await auth.linkIdentity({ provider: 'google', token: 'x.y.z' });
  expect(refusal(byToken.error)).toEqual(refusedByApi(400, 'provider_disabled'));
  expect((await auth.getUserIdentities()).data?.identities).toEqual([identity]);

  const nobody = client();
  const unauthorized = refusedByApi(401, 'no_authorization');
  expect(refusal((await nobody.getUserIdentities()).error)).toEqual(SESSION_MISSING);
  expect(refusal((await nobody.linkIdentity({ provider: 'google' })).error)).toEqual(unauthorized);
  expect(refusal((await nobody.unlinkIdentity(identity)).error)).toEqual(unauthorized);
});

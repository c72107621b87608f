// Links that an operator generates with auth-js, and how their recipients use them.

import { createHash } from 'node:crypto';
import type { EmailOtpType, GenerateLinkParams, GenerateLinkProperties } from '@supabase/auth-js';
import { expect, test } from 'vitest';
import { mailsTo } from '../../frontend/e2e/mailbox';
import { somebodyNew } from '../../frontend/e2e/people';
import { baseURL, request } from '../server';
import { client, operator, PASSWORD, type Refusal, refusal, refusedByApi, signedInAgain, signedUp } from './clients';

const password = PASSWORD;

async function generated(params: GenerateLinkParams): Promise<GenerateLinkProperties> {
  const { data, error } = await operator().generateLink(params);
  expect(error).toBeNull();
  expect(data.user?.email).toBe(params.email);
  return data.properties as GenerateLinkProperties;
}

/** A kind of link, and how its recipient verifies it. */
interface Row {
  type: string;
  verifiedAs: EmailOtpType;
  isKnown: boolean;
  params: (email: string) => GenerateLinkParams;
}

const ROWS: Row[] = [
  {
    type: 'signup',
    verifiedAs: 'signup',
    isKnown: false,
    params: (email) => ({ type: 'signup', email, password, options: { data: { city: 'Ipoh' } } }),
  },
  { type: 'invite', verifiedAs: 'invite', isKnown: false, params: (email) => ({ type: 'invite', email }) },
  { type: 'magiclink', verifiedAs: 'magiclink', isKnown: true, params: (email) => ({ type: 'magiclink', email }) },
  // Becomes a sign-up with a random password.
  { type: 'signup', verifiedAs: 'signup', isKnown: false, params: (email) => ({ type: 'magiclink', email }) },
  { type: 'recovery', verifiedAs: 'recovery', isKnown: true, params: (email) => ({ type: 'recovery', email }) },
];

for (const { type, verifiedAs, isKnown, params } of ROWS) {
  const { type: asked } = params('');
  test(`${asked} for ${isKnown ? 'an existing account' : 'a new address'}`, async () => {
    for (const way of ['code', 'token', 'link'] as const) {
      const { email } = isKnown ? await signedUp() : somebodyNew();
      const redirectTo = `${baseURL}/auth`;
      const { options, ...rest } = params(email);
      const properties = await generated({
        ...rest,
        options: { ...options, redirectTo },
      } as GenerateLinkParams);

      const { email_otp, hashed_token, action_link } = properties;
      expect(properties).toMatchObject({ verification_type: type, redirect_to: redirectTo });
      expect(email_otp).toMatch(/^\d{6}$/);
      expect(hashed_token).toBe(createHash('sha224').update(`${email}${email_otp}`).digest('hex'));
      const link = new URL(action_link);
      expect(link.pathname).toBe('/auth/v1/verify');
      expect(Object.fromEntries(link.searchParams)).toEqual({
        token: hashed_token,
        type: verifiedAs,
        redirect_to: redirectTo,
      });

      const auth = client();
      if (way === 'link') {
        const answer = await request.get(link.pathname + link.search, { maxRedirects: 0 });
        const place = new URL(answer.headers().location ?? '');
        expect(place.origin + place.pathname).toBe(redirectTo);
        const told = Object.fromEntries(new URLSearchParams(place.hash.slice(1)));
        expect(told.type).toBe(verifiedAs);
        const { access_token = '', refresh_token = '' } = told;
        expect((await auth.setSession({ access_token, refresh_token })).error).toBeNull();
      } else {
        const proof = way === 'code' ? { email, token: email_otp } : { token_hash: hashed_token };
        expect((await auth.verifyOtp({ ...proof, type: verifiedAs } as never)).error).toBeNull();
        const again = await auth.verifyOtp({ token_hash: hashed_token, type: verifiedAs });
        expect(refusal(again.error)).toEqual(refusedByApi(403, 'otp_expired'));
      }
      const { data } = await auth.getUser();
      expect(data.user).toMatchObject({ email, email_confirmed_at: expect.any(String) });
      // The operator delivers the link, so the server sends no mail.
      expect(await mailsTo(request, email)).toEqual([]);
    }
  });
}

test('a sign-up link creates the account with the given metadata and password', async () => {
  const { email } = somebodyNew();
  const options = { data: { user_type: 'vendor', city: 'Ipoh' } };
  const { data } = await operator().generateLink({ type: 'signup', email, password, options });
  expect(data.user?.user_metadata).toEqual(options.data);
  expect(data.user?.email_confirmed_at).toBeUndefined();
  const token_hash = data.properties?.hashed_token ?? '';
  await client().verifyOtp({ token_hash, type: 'signup' });
  expect((await signedInAgain(email)).session.user.id).toBe(data.user?.id);
});

test('an address changes after both links were used, in either order', async () => {
  for (const newFirst of [true, false]) {
    const { auth, email } = await signedUp();
    const newEmail = `next-${email}`;
    const halves: [string, EmailOtpType, GenerateLinkProperties][] = [];
    for (const type of ['email_change_new', 'email_change_current'] as const) {
      const properties = await generated({ type, email, newEmail });
      expect(properties.verification_type).toBe(type);
      expect(new URL(properties.action_link).searchParams.get('type')).toBe('email_change');
      halves.push([type === 'email_change_new' ? newEmail : email, 'email_change', properties]);
    }
    expect((await auth.getUser()).data.user).toMatchObject({ email, new_email: newEmail });
    if (!newFirst) halves.reverse();

    // The first by its code, the second by its token.
    const [[address, type, byCode], [, , byToken]] = halves as [(typeof halves)[0], (typeof halves)[0]];
    const half = await auth.verifyOtp({ email: address, token: byCode.email_otp, type });
    expect(half).toEqual({ data: { user: null, session: null }, error: null });
    const whole = await auth.verifyOtp({ token_hash: byToken.hashed_token, type });
    expect(whole.data.user?.email).toBe(newEmail);
    expect(await mailsTo(request, newEmail)).toEqual([]);
  }
});

test('requests for links that are rejected', async () => {
  const { email: known } = await signedUp();
  const { email: taken } = await signedUp();
  const { email } = somebodyNew();
  const malformed = refusedByApi(400, 'validation_failed');
  const unknown = refusedByApi(404, 'user_not_found');
  const exists = refusedByApi(422, 'email_exists');
  const cases: [object, Refusal, string][] = [
    [{ type: 'signup', email }, malformed, 'Signup requires a valid password'],
    [{ type: 'recovery', email }, unknown, 'User with this email not found'],
    [{ type: 'email_change_new', email, newEmail: known }, unknown, 'User with this email not found'],
    [{ type: 'email_change_current', email, newEmail: known }, unknown, 'User with this email not found'],
    [{ type: 'signup', email: known, password }, exists, 'A user with this email address has already been registered'],
    [{ type: 'invite', email: known }, exists, 'A user with this email address has already been registered'],
    [
      { type: 'email_change_new', email: known, newEmail: taken },
      exists,
      'A user with this email address has already been registered',
    ],
    [{ type: 'email_change_new', email: known }, malformed, 'An email address is required'],
    [{ type: 'magiclink', email: '' }, malformed, 'An email address is required'],
    [{ type: 'magiclink', email: `${'x'.repeat(250)}@example.test` }, malformed, 'An email address is too long'],
    [{ type: 'sms', email: known }, malformed, 'Invalid email action link type requested: sms'],
  ];
  for (const [params, expected, message] of cases) {
    // Also cases that the client's types forbid.
    const { data, error } = await operator().generateLink(params as GenerateLinkParams);
    expect(refusal(error), JSON.stringify(params)).toEqual(expected);
    expect(error?.message).toBe(message);
    expect(data).toEqual({ properties: null, user: null });
  }
});

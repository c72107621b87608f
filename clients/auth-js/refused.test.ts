// How auth-js reports disabled providers, malformed requests and an unreachable server.

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  type AuthError,
  isAuthApiError,
  isAuthError,
  isAuthRetryableFetchError,
  isAuthSessionMissingError,
} from '@supabase/auth-js';
import { expect, test } from 'vitest';
import { somebodyNew } from '../../frontend/e2e/people';
import { request } from '../server';
import { client, memory, PASSWORD, type Refusal, refusal, refusedByApi, signedUp } from './clients';

type Client = ReturnType<typeof client>;
type Case = [what: string, ask: (auth: Client) => Promise<{ error: AuthError | null }>, Refusal, message: string];

const NO_ANONYMOUS = refusedByApi(422, 'anonymous_provider_disabled');
const NO_PHONE = refusedByApi(400, 'phone_provider_disabled');
const NO_SSO = refusedByApi(404, 'saml_provider_disabled');
const NO_ID_TOKEN = refusedByApi(400, 'provider_disabled');
const NO_WEB3 = refusedByApi(422, 'web3_provider_disabled');
const WRONG_CODE = refusedByApi(403, 'otp_expired');
const MALFORMED = refusedByApi(400, 'validation_failed');
const WRONG_PASSWORD = refusedByApi(400, 'invalid_credentials');

const password = PASSWORD;
const token = '123456';
const phone = '+60123456789';
const unknown = 'nobody@example.test';
const google = { provider: 'google', token: 'x.y.z' };
const siws = { chain: 'solana', message: 'm', signature: new Uint8Array(64) } as const;
const siwe = { chain: 'ethereum', message: 'm', signature: `0x${'0'.repeat(130)}` } as const;
const malformedPhone = 'Invalid phone number format (E.164 required)';
const malformedAddress = 'Unable to validate email address: invalid format';

const CASES: Case[] = [
  ['anonymous', (auth) => auth.signInAnonymously(), NO_ANONYMOUS, 'Anonymous sign-ins are disabled'],
  ['a phone signs up', (auth) => auth.signUp({ phone, password }), NO_PHONE, 'Phone signups are disabled'],
  ['a phone signs in', (auth) => auth.signInWithPassword({ phone, password }), NO_PHONE, 'Phone logins are disabled'],
  ['a code to a phone', (auth) => auth.signInWithOtp({ phone }), NO_PHONE, 'Unsupported phone provider'],
  [
    'a code from a phone',
    (auth) => auth.verifyOtp({ phone, token, type: 'sms' }),
    WRONG_CODE,
    'Token has expired or is invalid',
  ],
  [
    'a malformed phone number',
    (auth) => auth.verifyOtp({ phone: 'me', token, type: 'sms' }),
    MALFORMED,
    malformedPhone,
  ],
  ['SSO by domain', (auth) => auth.signInWithSSO({ domain: 'example.test' }), NO_SSO, 'SAML 2.0 is disabled'],
  ['SSO by provider', (auth) => auth.signInWithSSO({ providerId: unknown }), NO_SSO, 'SAML 2.0 is disabled'],
  [
    'a token of Google',
    (auth) => auth.signInWithIdToken(google),
    NO_ID_TOKEN,
    'Provider (issuer "https://accounts.google.com") is not enabled',
  ],
  [
    'a token of another provider',
    (auth) => auth.signInWithIdToken({ ...google, provider: 'azure' }),
    NO_ID_TOKEN,
    'Provider is not enabled',
  ],
  ['Solana', (auth) => auth.signInWithWeb3(siws), NO_WEB3, 'Web3 provider is disabled'],
  ['Ethereum', (auth) => auth.signInWithWeb3(siwe), NO_WEB3, 'Web3 provider is disabled'],
  [
    'no password',
    (auth) => auth.signUp({ email: unknown, password: '' }),
    MALFORMED,
    'Signup requires a valid password',
  ],
  ['a malformed address', (auth) => auth.signUp({ email: 'nobody', password }), MALFORMED, malformedAddress],
  [
    'a password that is too long',
    (auth) => auth.signUp({ email: unknown, password: 'x'.repeat(73) }),
    MALFORMED,
    'Password cannot be longer than 72 characters',
  ],
  [
    'no address at sign-in',
    (auth) => auth.signInWithPassword({ email: '', password }),
    MALFORMED,
    'missing email or phone',
  ],
  [
    'an unknown address signs in',
    (auth) => auth.signInWithPassword({ email: somebodyNew().email, password }),
    WRONG_PASSWORD,
    'Invalid login credentials',
  ],
  ['no address to recover', (auth) => auth.resetPasswordForEmail(''), MALFORMED, 'Password recovery requires an email'],
  [
    'a malformed refresh token',
    (auth) => auth.refreshSession({ refresh_token: 'Not A Token' }),
    MALFORMED,
    'Refresh token is not valid',
  ],
];

for (const [what, ask, expected, message] of CASES) {
  test(`rejected: ${what}`, async () => {
    const auth = client();
    const { error } = await ask(auth);
    expect(isAuthApiError(error)).toBe(true);
    expect(refusal(error)).toEqual(expected);
    expect(error?.message).toBe(message);
    expect((await auth.getSession()).data.session).toBeNull();
  });
}

test('the OAuth URL responds that the provider is not enabled', async () => {
  const { data } = await client().signInWithOAuth({ provider: 'google' });
  const answer = await request.get(data.url ?? '', { maxRedirects: 0 });
  expect(answer.status()).toBe(400);
  expect(await answer.json()).toMatchObject({
    error_code: 'validation_failed',
    msg: 'Unsupported provider: provider is not enabled',
  });
});

test("phones and keys can't be second factors", async () => {
  const { auth } = await signedUp();
  for (const factor of [
    { factorType: 'phone', phone },
    { factorType: 'webauthn', friendlyName: 'key' },
  ] as const) {
    const { error } = await auth.mfa.enroll(factor);
    expect(refusal(error)).toEqual(refusedByApi(422, `mfa_${factor.factorType}_enroll_not_enabled`));
  }
});

test('an API error, a missing session and an unreachable server have different error types', async () => {
  const kinds = (error: AuthError | null) =>
    [isAuthError, isAuthApiError, isAuthSessionMissingError, isAuthRetryableFetchError].map((is) => is(error));
  const storage = memory();
  const { auth } = await signedUp({ storage });
  expect(kinds((await auth.updateUser({ password })).error)).toEqual([true, true, false, false]);
  expect(kinds((await client().getUser()).error)).toEqual([true, false, true, false]);

  const server = createServer((_, answer) => answer.writeHead(503).end('{}')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const away = client({ storage }, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const asked = async () => [
    await away.getUser(),
    await away.updateUser({ data: {} }),
    await away.signInWithPassword({ email: unknown, password }),
    await away.signOut(),
  ];
  const answered = await asked();
  server.closeAllConnections();
  server.close();
  const unanswered = await withoutConsoleErrors(asked);

  for (const [answers, status] of [
    [answered, 503],
    [unanswered, 0],
  ] as const) {
    expect(answers.map(({ error }) => kinds(error))).toEqual(answers.map(() => [true, false, false, true]));
    expect(answers.map(({ error }) => error?.status)).toEqual(answers.map(() => status));
  }
  expect((await auth.getUser()).error).toBeNull();
});

/** The client logs unreachable servers to the console. */
async function withoutConsoleErrors<T>(ask: () => Promise<T>): Promise<T> {
  const { error } = console;
  console.error = () => {};
  return ask().finally(() => {
    console.error = error;
  });
}

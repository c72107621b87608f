import { AuthApiError, AuthRetryableFetchError } from '@supabase/auth-js';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { fetchRecordingRetryAfter } from '@/lib/retry-after';
import { AlreadyRegistered, inWords, isSessionGone, mayWorkLater, refusalOf } from './refusal';

beforeEach(async () => {
  vi.useFakeTimers();
  // Clears the wait time of the previous test.
  await refusedFor(429);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

async function refusedFor(status: number, header?: string) {
  const headers: HeadersInit = header === undefined ? {} : { 'retry-after': header };
  vi.stubGlobal('fetch', () => Promise.resolve(new Response('', { status, headers })));
  await fetchRecordingRetryAfter('/auth/v1/token');
}

it("shows the server's message", () => {
  expect(refusalOf(new AuthApiError('Invalid login credentials', 400, 'invalid_credentials'))).toEqual({
    title: 'Invalid login credentials',
  });
});

it('uses the specified message for a registered address', () => {
  const taken = { title: 'This email is already registered. Please sign in instead.' };
  expect(refusalOf(new AuthApiError('User already registered', 422, 'user_already_exists'))).toEqual(taken);
  expect(refusalOf(new AuthApiError('A user with…', 422, 'email_exists'))).toEqual(taken);
  expect(refusalOf(new AlreadyRegistered())).toEqual(taken);
});

it('says when to try again, until the wait is over', async () => {
  const error = new AuthApiError('Request rate limit reached', 429, 'over_request_rate_limit');
  expect(refusalOf(error).text).toBe('Try again in a few minutes. Your changes are kept.');
  await refusedFor(429, '40');
  expect(refusalOf(error)).toEqual({
    title: 'Request rate limit reached',
    text: 'Try again in 40 seconds. Your changes are kept.',
  });
  vi.advanceTimersByTime(39_000);
  expect(refusalOf(error).text).toContain('in 1 second.');
  vi.advanceTimersByTime(1000);
  expect(refusalOf(error).text).toContain('in a few minutes');
  await refusedFor(429, new Date(Date.now() + 90_000).toUTCString());
  expect(refusalOf(error).text).toContain('in 2 minutes');
  await refusedFor(429, 'soon');
  expect(refusalOf(error).text).toContain('in a few minutes');
});

it('distinguishes being offline from an unreachable server', async () => {
  const lost = new AuthRetryableFetchError('Failed to fetch', 0);
  vi.stubGlobal('navigator', { onLine: true });
  expect(refusalOf(lost).title).toBe('An unexpected error occurred');
  expect(refusalOf(lost).text).toContain("Serasi isn't responding. Try again in a moment");
  await refusedFor(503, '5');
  expect(refusalOf(new AuthRetryableFetchError('{}', 503)).text).toContain('in 5 seconds');
  vi.stubGlobal('navigator', { onLine: false });
  expect(refusalOf(lost).text).toContain("You're offline.");
});

it('recognizes temporary errors and ended sessions', () => {
  expect(mayWorkLater(new AuthRetryableFetchError('x', 502))).toBe(true);
  expect(mayWorkLater(new AuthApiError('x', 429, 'over_request_rate_limit'))).toBe(true);
  expect(mayWorkLater(new AuthApiError('x', 403, 'otp_expired'))).toBe(false);
  expect(isSessionGone(new AuthApiError('x', 403, 'user_not_found'))).toBe(true);
  expect(isSessionGone(new AuthApiError('x', 422, 'same_password'))).toBe(false);
});

it.each([
  [1, '1 second'],
  [59, '59 seconds'],
  [60, '1 minute'],
  [61, '2 minutes'],
])('%d is %s', (seconds, words) => expect(inWords(seconds)).toBe(words));

// The Supabase clients, created on first use (see also storage.ts and functions.ts). Only queries.ts, mutations.ts,
// session.ts and identity.ts may import them.
import type { AuthClient as Client } from '@supabase/auth-js';
import { PostgrestClient } from '@supabase/postgrest-js';
import type { Database } from './database.types';
import { anonKey, apiUrl } from './env';
import { takeFirstAnswer } from './first-answers';
import { mayBeSignedIn } from './stored-session';

type AuthClient = InstanceType<typeof Client>;

export function once<Value>(make: () => Value): () => Value {
  let value: Value | undefined;
  return () => {
    value ??= make();
    return value;
  };
}

let announce: (client: AuthClient) => void = () => {};
/** Resolves once the auth client is first used. */
export const authInUse = new Promise<AuthClient>((resolve) => {
  announce = resolve;
});

/** Loaded only when a user is signed in or signs in. */
export const auth = once(async () => {
  const client = (await import('./auth-client')).makeAuthClient();
  announce(client);
  return client;
});

async function accessToken(): Promise<string | undefined> {
  if (!mayBeSignedIn()) return undefined;
  const { data } = await (await auth()).getSession();
  return data.session?.access_token;
}

/** Adds the current access token to every request, or the public key for visitors. */
export const authorized =
  (send: typeof fetch): typeof fetch =>
  async (input, init) => {
    const headers = new Headers(init?.headers);
    headers.set('apikey', anonKey());
    headers.set('Authorization', `Bearer ${(await accessToken()) ?? anonKey()}`);
    return send(input, { ...init, headers });
  };

/** Looks up `fetch` on each call, because the build replaces it to record requests. */
export const authorizedFetch = authorized((input, init) => fetch(input, init));

const fetchOrTake: typeof fetch = async (input, init) =>
  takeFirstAnswer(String(input), init?.method ?? 'GET', new Headers(init?.headers)) ?? authorizedFetch(input, init);

export const rest = once(
  () =>
    new PostgrestClient<Database, { PostgrestVersion: '14' }>(apiUrl('/rest/v1'), {
      fetch: fetchOrTake,
      // TanStack Query already retries; with both, an error would take 15 seconds to appear.
      retry: false,
    }),
);

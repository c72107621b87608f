// The published clients, made on first use; storage.ts has the third. Only queries.ts, mutations.ts and the
// session may import this.
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
/** Waits for whoever needs the client first. */
export const authInUse = new Promise<AuthClient>((resolve) => {
  announce = resolve;
});

/** Loaded when somebody is signed in, or signs in. */
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

/** Every request carries the session of the moment, or the public key when nobody is signed in. */
export const authorized =
  (send: typeof fetch): typeof fetch =>
  async (input, init) => {
    const headers = new Headers(init?.headers);
    headers.set('apikey', anonKey());
    headers.set('Authorization', `Bearer ${(await accessToken()) ?? anonKey()}`);
    return send(input, { ...init, headers });
  };

/** `fetch` is looked up each time: the build's recording stands in for it. */
export const authorizedFetch = authorized((input, init) => fetch(input, init));

const fetchOrTake: typeof fetch = async (input, init) =>
  takeFirstAnswer(String(input), init?.method ?? 'GET', new Headers(init?.headers)) ?? authorizedFetch(input, init);

export const rest = once(
  () =>
    new PostgrestClient<Database, { PostgrestVersion: '14' }>(apiUrl('/rest/v1'), {
      fetch: fetchOrTake,
      // Queries try again by themselves; both together keep somebody waiting for a quarter of a minute.
      retry: false,
    }),
);

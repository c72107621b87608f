// The published clients, made on first use; storage.ts has the third. Only queries.ts, mutations.ts and the
// session may import this.
import { AuthClient } from '@supabase/auth-js';
import { PostgrestClient } from '@supabase/postgrest-js';
import type { Database } from './database.types';
import { anonKey, apiUrl } from './env';

export function once<Value>(make: () => Value): () => Value {
  let value: Value | undefined;
  return () => {
    value ??= make();
    return value;
  };
}

/** Where auth-js keeps the session in local storage. */
export const SESSION_KEY = 'serasi-session';

export const auth = once(
  () =>
    new AuthClient({
      url: apiUrl('/auth/v1'),
      headers: { apikey: anonKey(), Authorization: `Bearer ${anonKey()}` },
      storageKey: SESSION_KEY,
      autoRefreshToken: true,
      persistSession: true,
      detectSessionInUrl: true,
    }),
);

/** Every request carries the session of the moment, or the public key when nobody is signed in. */
export async function authorizedFetch(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const { data } = await auth().getSession();
  const headers = new Headers(init?.headers);
  headers.set('apikey', anonKey());
  headers.set('Authorization', `Bearer ${data.session?.access_token ?? anonKey()}`);
  return fetch(input, { ...init, headers });
}

export const rest = once(
  () =>
    new PostgrestClient<Database, { PostgrestVersion: '14' }>(apiUrl('/rest/v1'), {
      fetch: authorizedFetch,
      // Queries try again by themselves; both together keep somebody waiting for a quarter of a minute.
      retry: false,
    }),
);

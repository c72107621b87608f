// The unmodified auth-js client, signed in as different users, and its errors.

import { AuthClient, type AuthError, type Session } from '@supabase/auth-js';
import { expect } from 'vitest';
import { somebodyNew } from '../../frontend/e2e/people';
import { baseURL } from '../server';

export const PASSWORD = 'correct horse battery';
export const ANOTHER_PASSWORD = 'another battery staple';

/** The client's key in its storage. */
export const STORAGE_KEY = 'serasi-session';

type Options = ConstructorParameters<typeof AuthClient>[0];

/** A storage like the browser's, in memory. */
export function memory() {
  const kept = new Map<string, string>();
  return {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => void kept.set(name, value),
    removeItem: (name: string) => void kept.delete(name),
  };
}

/** `server`: the shared one unless a test starts its own. */
export const client = (options: Options = {}, server = baseURL) =>
  new AuthClient({
    url: `${server}/auth/v1`,
    storage: memory(),
    storageKey: STORAGE_KEY,
    autoRefreshToken: false,
    ...options,
  });

export const bearer = (token: string | undefined) => ({ Authorization: `Bearer ${token}` });

export const operator = (server = baseURL) => client({ headers: bearer(process.env.SERVICE_ROLE_KEY) }, server).admin;

export interface Somebody {
  auth: InstanceType<typeof AuthClient>;
  email: string;
  id: string;
  session: Session;
}

/** A new influencer. Influencers are signed in without confirming their address. */
export async function signedUp(options: Options = {}, server = baseURL): Promise<Somebody> {
  const { email } = somebodyNew();
  const auth = client(options, server);
  const { data, error } = await auth.signUp({
    email,
    password: PASSWORD,
    options: { data: { user_type: 'influencer' } },
  });
  expect(error).toBeNull();
  return { auth, email, id: data.user?.id ?? '', session: data.session as Session };
}

/** Another session of the account. */
export async function signedInAgain(email: string, password = PASSWORD) {
  const auth = client();
  const { data, error } = await auth.signInWithPassword({ email, password });
  expect(error).toBeNull();
  return { auth, session: data.session as Session };
}

export type Refusal = [kind: string, status: number | undefined, code?: string];

/** What distinguishes one error from another for the client's users. */
export const refusal = (error: AuthError | null): Refusal | undefined =>
  error ? [error.name, error.status, error.code] : undefined;

export const refusedByApi = (status: number, code: string): Refusal => ['AuthApiError', status, code];

export const SESSION_MISSING: Refusal = ['AuthSessionMissingError', 400, undefined];

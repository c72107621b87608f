// Apart from the other clients: the largest of the libraries, which visitors do without.
import { AuthClient } from '@supabase/auth-js';
import { anonKey, apiUrl } from './env';
import { fetchNotingWait } from './retry-after';
import { SESSION_KEY } from './stored-session';

export const makeAuthClient = () =>
  new AuthClient({
    url: apiUrl('/auth/v1'),
    headers: { apikey: anonKey(), Authorization: `Bearer ${anonKey()}` },
    fetch: fetchNotingWait,
    storageKey: SESSION_KEY,
    autoRefreshToken: true,
    persistSession: true,
    detectSessionInUrl: true,
  });

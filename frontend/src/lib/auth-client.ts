// In its own module: auth-js is the largest library, and visitors don't need it.
import { AuthClient } from '@supabase/auth-js';
import { anonKey, apiUrl } from './env';
import { fetchRecordingRetryAfter } from './retry-after';
import { SESSION_KEY } from './stored-session';

export const makeAuthClient = () =>
  new AuthClient({
    url: apiUrl('/auth/v1'),
    headers: { apikey: anonKey(), Authorization: `Bearer ${anonKey()}` },
    fetch: fetchRecordingRetryAfter,
    storageKey: SESSION_KEY,
    autoRefreshToken: true,
    persistSession: true,
    detectSessionInUrl: true,
  });

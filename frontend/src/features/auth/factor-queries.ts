// The account's second factors. Reading them needs the session's account, which auth-js has.
import { queryOptions } from '@tanstack/react-query';
import { apiUrl } from '@/lib/env';
import { auth, authorizedFetch } from '@/lib/supabase';

export interface App {
  id: string;
  name: string;
  addedAt: string;
}

export interface SecurityState {
  apps: App[];
  /** Recovery codes that can still be used. */
  codesLeft: number;
}

export const SECURITY_KEY = ['security'] as const;

export const RECOVERY_CODES = apiUrl('/auth/v1/factors/recovery-codes');

/** The verified authenticator apps, the oldest first. */
export async function apps(): Promise<App[]> {
  const { data, error } = await (await auth()).mfa.listFactors();
  if (error) throw error;
  return data.totp.map(({ id, friendly_name, created_at }) => ({
    id,
    name: friendly_name || 'Authenticator app',
    addedAt: created_at,
  }));
}

export const securityQuery = (userId: string) =>
  queryOptions({
    queryKey: [...SECURITY_KEY, userId],
    queryFn: async ({ signal }): Promise<SecurityState> => {
      const [found, answer] = await Promise.all([apps(), authorizedFetch(RECOVERY_CODES, { signal })]);
      if (!answer.ok) throw new Error('An unexpected error occurred');
      const { remaining } = (await answer.json()) as { remaining: number };
      return { apps: found, codesLeft: remaining };
    },
  });

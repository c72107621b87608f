// The state of the system, which the database shows to superadmins only.
import { queryOptions } from '@tanstack/react-query';
import { apiUrl } from '@/lib/env';
import { rest } from '@/lib/supabase';
import type { BackupState } from './backups';

export interface Replica {
  name: string;
  state: string | null;
  sync: string | null;
  lag_seconds: number | null;
  lag_bytes: number | null;
}

export interface Disk {
  name: 'database' | 'images' | 'backups';
  /** Sizes in bytes. */
  free: number;
  total: number;
}

export interface SystemHealth {
  program: string | null;
  schema: number;
  postgres: string;
  started_at: string;
  database_bytes: number;
  connections: number;
  max_connections: number;
  replicas: Replica[];
  disks: Disk[];
  backups: BackupState;
  outbox: { pending: number; oldest_at: string | null; given_up: number };
}

const REFRESH_MS = 15_000;

export const healthQuery = queryOptions({
  queryKey: ['admin', 'health'],
  refetchInterval: REFRESH_MS,
  queryFn: async ({ signal }) => {
    const { data, error } = await rest().rpc('system_health', undefined, { get: true }).abortSignal(signal);
    if (error) throw error;
    return data as unknown as SystemHealth;
  },
});

export interface ServiceState {
  name: string;
  up: boolean;
}

/** An address of each service that needs no account. */
const SERVICES = [
  ['Gateway', '/rest/v1/user_roles?limit=0'],
  ['Accounts', '/auth/v1/health'],
  ['Images', '/storage/v1/status'],
  ['Functions', '/functions/v1/create-admin'],
] as const;

const TIMEOUT_MS = 5000;

export const servicesQuery = queryOptions({
  queryKey: ['admin', 'services'],
  refetchInterval: REFRESH_MS,
  queryFn: ({ signal }): Promise<ServiceState[]> =>
    Promise.all(
      SERVICES.map(async ([name, path]) => ({
        name,
        up: await responds(path, AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)])),
      })),
    ),
});

/** An error response also counts as an answer. */
async function responds(path: string, signal: AbortSignal): Promise<boolean> {
  try {
    const response = await fetch(apiUrl(path), { signal, cache: 'no-store' });
    return response.status < 500;
  } catch {
    return false;
  }
}

// Admins and superadmins.
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { rest } from '@/lib/supabase';
import { emailsOf, PAGE_SIZE, type RowPage } from './queries';

export const STAFF_ROLES = ['admin', 'superadmin'] as const;
export type StaffRole = (typeof STAFF_ROLES)[number];

export interface StaffRow {
  userId: string;
  role: StaffRole;
  email: string;
  /** Whether sign-ins have a second step. Only superadmins see this. */
  hasFactor?: boolean;
  /** When the role was granted. Only the audit log has it, which only superadmins can read. */
  since?: string;
}

export const STAFF_KEY = ['admin', 'staff'] as const;

export const staffQuery = (page: number, withDates: boolean) =>
  queryOptions({
    queryKey: [...STAFF_KEY, page, withDates],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }): Promise<RowPage<StaffRow>> => {
      const from = (page - 1) * PAGE_SIZE;
      const { data, error, count } = await rest()
        .from('user_roles')
        .select('user_id,role', { count: 'exact' })
        .in('role', STAFF_ROLES)
        .order('role', { ascending: false })
        .order('user_id')
        .range(from, from + PAGE_SIZE - 1)
        .abortSignal(signal)
        .overrideTypes<{ user_id: string; role: StaffRole }[], { merge: false }>();
      if (error) throw error;
      const ids = data.map((row) => row.user_id);
      const [emails, dates, protectedIds] = await Promise.all([
        emailsOf(ids, signal),
        withDates ? datesOf(ids, signal) : new Map<string, string>(),
        withDates ? withFactor(signal) : new Set<string>(),
      ]);
      const rows = data.map(({ user_id, role }) => ({
        userId: user_id,
        role,
        email: emails.get(user_id) ?? '',
        hasFactor: protectedIds.has(user_id),
        since: dates.get(`${user_id} ${role}`),
      }));
      return { rows, total: count ?? 0 };
    },
  });

async function withFactor(signal: AbortSignal): Promise<Set<string>> {
  const { data, error } = await rest().rpc('staff_with_factor', {}, { get: true }).abortSignal(signal);
  if (error) throw error;
  return new Set(data);
}

async function datesOf(ids: string[], signal: AbortSignal): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const { data, error } = await rest()
    .from('audit_log')
    .select('subject_id,created_at,role:details->>role')
    .eq('action', 'grant_role')
    .in('subject_id', ids)
    // In ascending order, so that the map keeps the latest entry.
    .order('created_at')
    .abortSignal(signal)
    .overrideTypes<{ subject_id: string; created_at: string; role: string }[], { merge: false }>();
  if (error) throw error;
  return new Map(data.map((entry) => [`${entry.subject_id} ${entry.role}`, entry.created_at]));
}

// Backups, which the database shows to superadmins only.
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { rest } from '@/lib/supabase';
import { type BackupRow, isOpen } from './backups';
import { emailsOf, PAGE_SIZE, type RowPage } from './queries';

export interface NamedBackup extends BackupRow {
  /** Who requested it; undefined for a scheduled backup, or if the account was deleted. */
  email: string | undefined;
}

export const BACKUPS_KEY = ['admin', 'backups'] as const;

const BUSY_MS = 1000;
const IDLE_MS = 15_000;

/** Interval between two requests for the list, in milliseconds. */
export const intervalOf = (rows: BackupRow[] | undefined): number => (rows?.some(isOpen) ? BUSY_MS : IDLE_MS);

export const backupsQuery = (page: number) =>
  queryOptions({
    queryKey: [...BACKUPS_KEY, page],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }): Promise<RowPage<NamedBackup>> => {
      const from = (page - 1) * PAGE_SIZE;
      const { data, error, count } = await rest()
        .from('backups')
        .select('*', { count: 'exact' })
        .order('created_at', { ascending: false })
        .order('id', { ascending: false })
        .range(from, from + PAGE_SIZE - 1)
        .abortSignal(signal)
        .overrideTypes<BackupRow[], { merge: false }>();
      if (error) throw error;
      const people = data.flatMap((row) => row.requested_by ?? []);
      const emails = await emailsOf([...new Set(people)], signal);
      const rows = data.map((row) => ({ ...row, email: emails.get(row.requested_by ?? '') }));
      return { rows, total: count ?? 0 };
    },
  });

export async function requestBackup(): Promise<void> {
  const { error } = await rest().rpc('request_backup');
  if (error) throw error;
}

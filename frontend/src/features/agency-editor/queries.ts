import { queryOptions } from '@tanstack/react-query';
import { type OwnTable, ownRecord } from '@/features/editing/save-record';
import { rest } from '@/lib/supabase';
import type { AgencyColumns, AgencyRow } from './record';

export const ownAgencyTable: OwnTable<AgencyRow, AgencyColumns> = {
  read: (userId, signal) => rest().from('agencies').select().eq('user_id', userId).abortSignal(signal).maybeSingle(),
  insert: (userId, columns) =>
    rest()
      .from('agencies')
      .insert({ ...columns, user_id: userId })
      .select()
      .single(),
  update: (userId, columns) => rest().from('agencies').update(columns).eq('user_id', userId).select().single(),
  onlyOne: 'agencies_user_id_key',
};

/** The signed-in agency's own record; `null` before the first save. */
export const ownAgencyQuery = (userId: string) =>
  queryOptions({
    queryKey: ['agencies', 'own', userId],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: ({ signal }) => ownRecord(ownAgencyTable, userId, signal),
  });

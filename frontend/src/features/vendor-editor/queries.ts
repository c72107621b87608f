import { queryOptions } from '@tanstack/react-query';
import { type OwnTable, ownRecord } from '@/features/editing/save-record';
import { rest } from '@/lib/supabase';
import type { VendorColumns, VendorRow } from './record';

export const ownVendorTable: OwnTable<VendorRow, VendorColumns> = {
  read: (userId, signal) => rest().from('vendors').select().eq('user_id', userId).abortSignal(signal).maybeSingle(),
  insert: (userId, columns) =>
    rest()
      .from('vendors')
      .insert({ ...columns, user_id: userId })
      .select()
      .single(),
  update: (userId, columns) => rest().from('vendors').update(columns).eq('user_id', userId).select().single(),
  onlyOne: 'vendors_user_id_key',
};

/** The signed-in vendor's own record; `null` before the first save. */
export const ownVendorQuery = (userId: string) =>
  queryOptions({
    queryKey: ['vendors', 'own', userId],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: ({ signal }) => ownRecord(ownVendorTable, userId, signal),
  });

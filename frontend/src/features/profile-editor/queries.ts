import { queryOptions } from '@tanstack/react-query';
import { type OwnTable, ownRecord } from '@/features/editing/save-record';
import { rest } from '@/lib/supabase';
import type { Columns, InfluencerRow } from './record';

export const ownProfileTable: OwnTable<InfluencerRow, Columns> = {
  read: (userId, signal) => rest().from('influencers').select().eq('user_id', userId).abortSignal(signal).maybeSingle(),
  insert: (userId, columns) =>
    rest()
      .from('influencers')
      .insert({ ...columns, user_id: userId })
      .select()
      .single(),
  update: (userId, columns) => rest().from('influencers').update(columns).eq('user_id', userId).select().single(),
  onlyOne: 'influencers_user_id_key',
};

/** The signed-in influencer's own record; `null` before the first save. */
export const ownProfileQuery = (userId: string) =>
  queryOptions({
    queryKey: ['influencers', 'own', userId],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: ({ signal }) => ownRecord(ownProfileTable, userId, signal),
  });

/** The unseen notice that the profile was approved, if any. It stays in the cache for this visit. */
export const approvalNoticeQuery = (userId: string) =>
  queryOptions({
    queryKey: ['notices', 'approved', userId],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }) => {
      const { data, error } = await rest()
        .from('notices')
        .select('id,created_at')
        .eq('user_id', userId)
        .eq('kind', 'approved')
        .is('seen_at', null)
        .order('created_at', { ascending: false })
        .limit(1)
        .abortSignal(signal)
        .maybeSingle();
      if (error) throw error;
      return data;
    },
  });

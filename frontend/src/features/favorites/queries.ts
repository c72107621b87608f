import { queryOptions } from '@tanstack/react-query';
import { rest } from '@/lib/supabase';

/** The account's favorites, newest first. Row-level security limits the result to its own rows. */
export const favoriteIdsQuery = (userId: string) =>
  queryOptions({
    queryKey: ['favorites', userId],
    queryFn: async ({ signal }) => {
      const { data, error } = await rest()
        .from('favorites')
        .select('influencer_id')
        .order('created_at', { ascending: false })
        .order('influencer_id', { ascending: false })
        .abortSignal(signal)
        .overrideTypes<{ influencer_id: string }[], { merge: false }>();
      if (error) throw error;
      return data.map((row) => row.influencer_id);
    },
  });

import { queryOptions } from '@tanstack/react-query';
import { rest } from '@/lib/supabase';

/** Whether this account keeps the profile. */
export const favouriteQuery = (userId: string, influencerId: string) =>
  queryOptions({
    queryKey: ['favourites', userId, influencerId],
    queryFn: async ({ signal }) => {
      const { data, error } = await rest()
        .from('favorites')
        .select('influencer_id')
        .eq('influencer_id', influencerId)
        .abortSignal(signal)
        .maybeSingle();
      if (error) throw error;
      return data !== null;
    },
  });

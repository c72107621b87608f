import { queryOptions } from '@tanstack/react-query';
import { rest } from './supabase';

/** The id of the account's profile as an influencer; null if it has none. */
export const ownInfluencerQuery = (userId: string) =>
  queryOptions({
    queryKey: ['own-influencer', userId],
    queryFn: async ({ signal }): Promise<string | null> => {
      const { data, error } = await rest()
        .from('influencers')
        .select('id')
        .eq('user_id', userId)
        .abortSignal(signal)
        .maybeSingle();
      if (error) throw error;
      return data?.id ?? null;
    },
  });

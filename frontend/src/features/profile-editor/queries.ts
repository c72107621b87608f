import { queryOptions } from '@tanstack/react-query';
import { rest } from '@/lib/supabase';

/** The signed-in influencer's own record; `null` until the first save. */
export const ownProfileQuery = (userId: string) =>
  queryOptions({
    queryKey: ['influencers', 'own', userId],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }) => {
      const { data, error } = await rest()
        .from('influencers')
        .select('*')
        .eq('user_id', userId)
        .abortSignal(signal)
        .maybeSingle();
      if (error) throw error;
      return data;
    },
  });

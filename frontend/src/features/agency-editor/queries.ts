import { queryOptions } from '@tanstack/react-query';
import { rest } from '@/lib/supabase';

/** The signed-in agency's own record; `null` before the first save. */
export const ownAgencyQuery = (userId: string) =>
  queryOptions({
    queryKey: ['agencies', 'own', userId],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }) => {
      const { data, error } = await rest()
        .from('agencies')
        .select('*')
        .eq('user_id', userId)
        .abortSignal(signal)
        .maybeSingle();
      if (error) throw error;
      return data;
    },
  });

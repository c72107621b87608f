import { queryOptions } from '@tanstack/react-query';
import { rest } from '@/lib/supabase';

/** The signed-in vendor's own record; `null` before the first save. */
export const ownVendorQuery = (userId: string) =>
  queryOptions({
    queryKey: ['vendors', 'own', userId],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }) => {
      const { data, error } = await rest()
        .from('vendors')
        .select('*')
        .eq('user_id', userId)
        .abortSignal(signal)
        .maybeSingle();
      if (error) throw error;
      return data;
    },
  });

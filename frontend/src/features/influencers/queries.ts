import { queryOptions } from '@tanstack/react-query';
import type { Database } from '@/lib/database.types';
import { rest } from '@/lib/supabase';

export type Influencer = Database['public']['Views']['influencers']['Row'];

/** `null` if there is no such influencer, or if this visitor may not see it. */
export const profileQuery = (id: string) =>
  queryOptions({
    queryKey: ['influencers', 'profile', id],
    queryFn: async ({ signal }) => {
      const { data, error } = await rest()
        .from('influencers')
        .select('*')
        .eq('id', id)
        .abortSignal(signal)
        .maybeSingle();
      // A malformed id can't belong to any influencer.
      if (error?.code === '22P02') return null;
      if (error) throw error;
      return data;
    },
  });

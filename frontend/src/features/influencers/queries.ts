import { queryOptions } from '@tanstack/react-query';
import type { Database } from '@/lib/database.types';
import { rest } from '@/lib/supabase';

export type Influencer = Database['public']['Views']['influencers']['Row'];

/** `null` when there is none, or none that this visitor may see. */
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
      // An address that is no id at all is an influencer that is not there.
      if (error?.code === '22P02') return null;
      if (error) throw error;
      return data;
    },
  });

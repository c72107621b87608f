import { queryOptions } from '@tanstack/react-query';
import type { Database } from '@/lib/database.types';
import { rest } from '@/lib/supabase';

export type Agency = Database['public']['Views']['agencies']['Row'];

/** `null` if there is no such agency. */
export const agencyQuery = (id: string) =>
  queryOptions({
    queryKey: ['agencies', 'profile', id],
    queryFn: async ({ signal }) => {
      const { data, error } = await rest().from('agencies').select('*').eq('id', id).abortSignal(signal).maybeSingle();
      // A malformed id can't belong to any agency.
      if (error?.code === '22P02') return null;
      if (error) throw error;
      return data;
    },
  });

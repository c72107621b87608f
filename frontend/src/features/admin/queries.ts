import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { rest } from '@/lib/supabase';

export interface AdminInfluencer {
  id: string;
  name: string;
  username: string;
  category: string;
  user_id: string;
  profile_image: string | null;
  verified: boolean;
  approved: boolean;
  badge_type: string;
  profiles: { email: string } | null;
}

export const PAGE_SIZE = 50;
const COLUMNS = 'id,name,username,category,user_id,profile_image,verified,approved,badge_type,profiles(email)' as const;

/** One of the two lists, a page at a time; the e-mail comes along in the same request. */
export const influencersQuery = (approved: boolean) =>
  infiniteQueryOptions({
    queryKey: ['admin', 'influencers', approved],
    initialPageParam: 0,
    queryFn: async ({ pageParam, signal }) => {
      const { data, error, count } = await rest()
        .from('influencers')
        .select(COLUMNS, { count: 'exact' })
        .eq('approved', approved)
        .order('created_at', { ascending: false })
        .order('id', { ascending: false })
        .range(pageParam, pageParam + PAGE_SIZE - 1)
        .abortSignal(signal)
        .overrideTypes<AdminInfluencer[], { merge: false }>();
      if (error) throw error;
      return { rows: data, total: count ?? 0 };
    },
    getNextPageParam: (last, pages) => {
      const loaded = pages.reduce((sum, page) => sum + page.rows.length, 0);
      return last.rows.length > 0 && loaded < last.total ? loaded : undefined;
    },
  });

/** How many there are, without their rows. */
export const countQuery = (table: 'agencies' | 'vendors') =>
  queryOptions({
    queryKey: ['admin', 'count', table],
    queryFn: async ({ signal }) => {
      const { count, error } = await rest()
        .from(table)
        .select('id', { count: 'exact', head: true })
        .abortSignal(signal);
      if (error) throw error;
      return count ?? 0;
    },
  });

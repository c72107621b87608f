import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { type Cursor, counting, LIST_CACHE, nextCursor, type Page, pageAfter } from '@/lib/pages';
import { rest } from '@/lib/supabase';

export interface Gig extends Cursor {
  title: string;
  description: string;
  budget: string | null;
  duration: string | null;
  requirements: string | null;
  closes_on: string | null;
  agencies: { name: string; logo_url: string | null } | null;
  gig_status: { state: 'open' | 'full' | 'closed' } | null;
  /** The account's own, if any. */
  gig_applications: { state: string }[];
}

/** Whether the account's influencer record is approved and verified; false without a record. */
export const admissionQuery = (userId: string) =>
  queryOptions({
    queryKey: ['gigs', 'admission', userId],
    queryFn: async ({ signal }) => {
      const { data, error } = await rest()
        .from('influencers')
        .select('verified,approved')
        .eq('user_id', userId)
        .abortSignal(signal)
        .maybeSingle();
      if (error) throw error;
      return Boolean(data?.approved && data.verified);
    },
  });

/** The gigs with their agency's name and logo. */
export const gigList = infiniteQueryOptions({
  queryKey: ['gigs', 'list'],
  initialPageParam: null as Cursor | null,
  ...LIST_CACHE,
  queryFn: async ({ pageParam, signal }): Promise<Page<Gig>> => {
    const all = rest()
      .from('gigs')
      .select(
        'id,title,description,budget,duration,requirements,created_at,closes_on,agencies(name,logo_url),gig_status(state),gig_applications(state)',
        counting(pageParam),
      );
    const { data, error, count } = await pageAfter(all, pageParam)
      .abortSignal(signal)
      .overrideTypes<Gig[], { merge: false }>();
    if (error) throw error;
    return { rows: data, total: count };
  },
  getNextPageParam: nextCursor,
});

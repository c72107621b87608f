import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { type Cursor, counting, LIST_CACHE, nextCursor, type Page, pageAfter } from '@/lib/pages';
import { rest } from '@/lib/supabase';

export interface OwnGig extends Cursor {
  title: string;
  description: string;
  budget: string | null;
  duration: string | null;
  requirements: string | null;
  closes_on?: string | null;
  places?: number | null;
  gig_status?: { state: 'open' | 'full' | 'closed'; applicants: number; waiting: number } | null;
}

/** The id of the agency record that gigs belong to; `null` if there is none. */
export async function agencyIdOf(userId: string, signal?: AbortSignal): Promise<string | null> {
  const query = rest().from('agencies').select('id').eq('user_id', userId);
  const { data, error } = await (signal ? query.abortSignal(signal) : query).maybeSingle();
  if (error) throw error;
  return data?.id ?? null;
}

/** Refetched each time the tab opens, because the record may have been created or deleted since. */
export const agencyIdQuery = (userId: string) =>
  queryOptions({
    queryKey: ['gigs', 'agency', userId],
    staleTime: 0,
    gcTime: 0,
    queryFn: ({ signal }) => agencyIdOf(userId, signal),
  });

export const ownGigsKey = (agencyId: string) => ['gigs', 'own', agencyId] as const;

/** Newest first, one page at a time. */
export const ownGigs = (agencyId: string) =>
  infiniteQueryOptions({
    queryKey: ownGigsKey(agencyId),
    initialPageParam: null as Cursor | null,
    ...LIST_CACHE,
    // Another tab may have added gigs.
    staleTime: 0,
    queryFn: async ({ pageParam, signal }): Promise<Page<OwnGig>> => {
      const own = rest()
        .from('gigs')
        .select(
          'id,title,description,budget,duration,requirements,created_at,closes_on,places,gig_status(state,applicants,waiting)',
          counting(pageParam),
        )
        .eq('agency_id', agencyId);
      const { data, error, count } = await pageAfter(own, pageParam)
        .abortSignal(signal)
        .overrideTypes<OwnGig[], { merge: false }>();
      if (error) throw error;
      return { rows: data, total: count };
    },
    getNextPageParam: nextCursor,
  });

import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { type Cursor, counting, nextCursor, type Page, pageAfter } from '@/lib/pages';
import { rest } from '@/lib/supabase';

export type Side = 'influencer' | 'client';

export interface Collaboration extends Cursor {
  source: 'enquiry' | 'application';
  title: string;
  influencer_id: string | null;
  agency_id: string | null;
  state: 'accepted' | 'completed' | 'cancelled';
  influencer_completed_at: string | null;
  client_completed_at: string | null;
  completed_at: string | null;
  cancelled_at: string | null;
  cancelled_by: Side | 'admin' | 'deletion' | null;
  reason: string | null;
  /** The reader's side. */
  side: Side;
  /** Null if the profile was deleted. */
  influencer_name: string | null;
  client_name: string | null;
  influencer_email: string | null;
  client_email: string | null;
  /** Reviews can be written until then. */
  review_until: string | null;
  /** The reviews that the reader may see: their own, and the other one once it is published. */
  reviews: { side: Side; published_at: string | null }[];
}

const COLUMNS =
  'id,created_at,source,title,influencer_id,agency_id,state,influencer_completed_at,client_completed_at,completed_at,cancelled_at,cancelled_by,reason,side,influencer_name,client_name,influencer_email,client_email,review_until,reviews(side,published_at)';

export const collaborationsKey = ['collaborations'];

/** The account's own collaborations, newest first. */
export const collaborationList = (userId: string) =>
  infiniteQueryOptions({
    queryKey: [...collaborationsKey, 'list', userId],
    initialPageParam: null as Cursor | null,
    queryFn: async ({ pageParam, signal }): Promise<Page<Collaboration>> => {
      const all = rest().from('collaborations').select(COLUMNS, counting(pageParam));
      const { data, error, count } = await pageAfter(all, pageParam)
        .abortSignal(signal)
        .overrideTypes<Collaboration[], { merge: false }>();
      if (error) throw error;
      return { rows: data, total: count };
    },
    getNextPageParam: nextCursor,
  });

/** `null` if the account has no such collaboration. */
export const collaborationQuery = (id: string, userId: string) =>
  queryOptions({
    queryKey: [...collaborationsKey, 'one', id, userId],
    enabled: userId !== '',
    queryFn: async ({ signal }) => {
      const { data, error } = await rest()
        .from('collaborations')
        .select(COLUMNS)
        .eq('id', id)
        .abortSignal(signal)
        .maybeSingle()
        .overrideTypes<Collaboration, { merge: false }>();
      // A malformed id can't belong to any collaboration.
      if (error?.code === '22P02') return null;
      if (error) throw error;
      return data;
    },
  });

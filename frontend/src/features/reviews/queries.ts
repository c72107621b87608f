import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { type Cursor, cursorAfter, LIST_CACHE, pageAfter } from '@/lib/pages';
import { rest } from '@/lib/supabase';

export interface Review {
  id: string;
  side: 'influencer' | 'client';
  rating: number;
  text: string;
  paid_on_time: boolean | null;
  reply: string | null;
  published_at: string;
  influencers: { id: string; name: string; profile_image: string | null } | null;
  agencies: { id: string; name: string; company_name: string | null; logo_url: string | null } | null;
}

/** Whose reviews: clients review influencers, influencers review agencies. */
export interface Reviewed {
  kind: 'influencer' | 'agency';
  id: string;
}

const SIZE = 10;
const COLUMNS =
  'id,side,rating,text,paid_on_time,reply,published_at,influencers(id,name,profile_image),agencies(id,name,company_name,logo_url)';

export const reviewsKey = ({ kind, id }: Reviewed) => ['reviews', kind, id];

/** The published reviews of a profile, newest first. */
export const reviewList = (of: Reviewed) =>
  infiniteQueryOptions({
    queryKey: reviewsKey(of),
    initialPageParam: null as Cursor | null,
    ...LIST_CACHE,
    queryFn: async ({ pageParam, signal }) => {
      const published = rest()
        .from('reviews')
        .select(COLUMNS)
        .eq(of.kind === 'influencer' ? 'influencer_id' : 'agency_id', of.id)
        .eq('side', of.kind === 'influencer' ? 'client' : 'influencer')
        .not('published_at', 'is', null);
      const { data, error } = await pageAfter(published, pageParam, { size: SIZE, by: 'published_at' })
        .abortSignal(signal)
        .overrideTypes<Review[], { merge: false }>();
      if (error) throw error;
      return data;
    },
    getNextPageParam: (last) =>
      cursorAfter(
        last.map(({ id, published_at }) => ({ id, created_at: published_at })),
        SIZE,
      ),
  });

/** The collaboration that a guest's mailed link shows; `null` if the link is invalid or has expired. */
export const guestWorkQuery = (token: string) =>
  queryOptions({
    queryKey: ['reviews', 'guest', token],
    enabled: token !== '',
    queryFn: async ({ signal }) => {
      const { data, error } = await rest().rpc('guest_collaboration', { token }).abortSignal(signal).maybeSingle();
      if (error?.code === 'PT404') return null;
      if (error) throw error;
      return data;
    },
  });

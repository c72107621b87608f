import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { CARD_COLUMNS, type CardInfluencer } from '@/components/influencer-card';
import { type Cursor, counting, cursorAfter, LIST_CACHE, nextCursor, type Page, pageAfter } from '@/lib/pages';
import { rest } from '@/lib/supabase';

export type GigState = 'open' | 'full' | 'closed';

export interface Agency {
  id: string;
  user_id: string;
  name: string;
  logo_url: string | null;
  location: string | null;
  badge_type: string | null;
}

export interface Application extends Cursor {
  gig_id: string | null;
  gig_title: string;
  pitch: string;
  quote: number | null;
  state: string;
  decided_at: string | null;
  collaboration_id: string | null;
}

const APPLICATION_COLUMNS = 'id,gig_id,gig_title,pitch,quote,state,created_at,decided_at,collaboration_id' as const;

export interface GigDetails extends Cursor {
  title: string;
  description: string;
  budget: string | null;
  duration: string | null;
  requirements: string | null;
  closes_on: string | null;
  places: number | null;
  agencies: Agency | null;
  gig_status: { state: GigState; accepted: number } | null;
  /** The account's own application; for the agency itself, one of its applicants'. */
  gig_applications: Application[];
}

/** A change to an application invalidates all of these. */
export const APPLICATIONS_KEY = ['applications'] as const;

/** `null` if there is no such gig, or if this account may not see it. */
export const gigDetailsQuery = (id: string) =>
  queryOptions({
    queryKey: [...APPLICATIONS_KEY, 'gig', id],
    queryFn: async ({ signal }): Promise<GigDetails | null> => {
      const { data, error } = await rest()
        .from('gigs')
        .select(
          `id,title,description,budget,duration,requirements,created_at,closes_on,places,agencies(id,user_id,name,logo_url,location,badge_type),gig_status(state,accepted),gig_applications(${APPLICATION_COLUMNS})`,
        )
        .eq('id', id)
        .limit(1, { referencedTable: 'gig_applications' })
        .abortSignal(signal)
        .maybeSingle()
        .overrideTypes<GigDetails, { merge: false }>();
      // A malformed id can't belong to any gig.
      if (error?.code === '22P02') return null;
      if (error) throw error;
      return data;
    },
  });

const DAILY_LIMIT = 20;

/** How many more gigs an influencer can apply for within 24 hours. */
export const leftTodayQuery = (influencerId: string) =>
  queryOptions({
    queryKey: [...APPLICATIONS_KEY, 'left', influencerId],
    queryFn: async ({ signal }): Promise<number> => {
      const { error, count } = await rest()
        .from('gig_applications')
        .select('id', { count: 'exact', head: true })
        .eq('influencer_id', influencerId)
        .gt('created_at', new Date(Date.now() - 86_400_000).toISOString())
        .abortSignal(signal);
      if (error) throw error;
      return Math.max(0, DAILY_LIMIT - (count ?? 0));
    },
  });

export interface OwnApplication extends Application {
  /** Null if the gig was deleted, or if this account may no longer see gigs. */
  gigs: { agencies: Pick<Agency, 'id' | 'name'> | null } | null;
}

/** An influencer's own applications, newest first. */
export const ownApplications = (influencerId: string) =>
  infiniteQueryOptions({
    queryKey: [...APPLICATIONS_KEY, 'own', influencerId],
    initialPageParam: null as Cursor | null,
    ...LIST_CACHE,
    // An agency may have decided in the meantime.
    staleTime: 0,
    queryFn: async ({ pageParam, signal }): Promise<Page<OwnApplication>> => {
      const own = rest()
        .from('gig_applications')
        .select(`${APPLICATION_COLUMNS},gigs(agencies(id,name))`, counting(pageParam))
        .eq('influencer_id', influencerId);
      const { data, error, count } = await pageAfter(own, pageParam)
        .abortSignal(signal)
        .overrideTypes<OwnApplication[], { merge: false }>();
      if (error) throw error;
      return { rows: data, total: count };
    },
    getNextPageParam: nextCursor,
  });

export interface Applicant extends Application {
  /** Null for a former member. */
  influencers: CardInfluencer | null;
}

/** Enough for nearly every gig at once, so that the columns are complete. */
const APPLICANTS_AT_ONCE = 100;

export const applicantsKey = (gigId: string) => [...APPLICATIONS_KEY, 'applicants', gigId] as const;

export const applicantList = (gigId: string) =>
  infiniteQueryOptions({
    queryKey: applicantsKey(gigId),
    initialPageParam: null as Cursor | null,
    staleTime: 0,
    queryFn: async ({ pageParam, signal }): Promise<Applicant[]> => {
      const all = rest()
        .from('gig_applications')
        .select(`${APPLICATION_COLUMNS},influencers(${CARD_COLUMNS})`)
        .eq('gig_id', gigId);
      const { data, error } = await pageAfter(all, pageParam, { size: APPLICANTS_AT_ONCE })
        .abortSignal(signal)
        .overrideTypes<Applicant[], { merge: false }>();
      if (error) throw error;
      return data;
    },
    getNextPageParam: (last) => cursorAfter(last, APPLICANTS_AT_ONCE),
  });

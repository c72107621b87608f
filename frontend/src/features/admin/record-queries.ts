// One profile as shown on its management page.
import { queryOptions } from '@tanstack/react-query';
import { rest } from '@/lib/supabase';
import { type Badge, type Kind, TABLES } from './lists';

/** The columns that admins write, all in one Save Changes. */
export interface Moderation {
  access_influencer_page: boolean;
  access_agencies_page: boolean;
  access_events_page: boolean;
  access_gigs_page: boolean;
  badge_type: Badge;
  subscription_start_date: string | null;
  subscription_end_date: string | null;
}

export const MODERATED = [
  'access_influencer_page',
  'access_agencies_page',
  'access_events_page',
  'access_gigs_page',
  'badge_type',
  'subscription_start_date',
  'subscription_end_date',
] as const satisfies (keyof Moderation)[];

export interface RecordRow extends Moderation {
  id: string;
  user_id: string;
  name: string;
  location: string | null;
  created_at: string;
  /** Influencers only. */
  username?: string;
  category?: string;
  profile_image?: string | null;
  verified?: boolean;
  approved?: boolean;
  profiles?: { email: string } | null;
  /** Agencies and vendors only. */
  company_name?: string | null;
  type?: string | null;
  logo_url?: string | null;
  email?: string;
  phone?: string | null;
}

const SHARED = `id,user_id,name,location,created_at,${MODERATED.join(',')}`;
const COLUMNS: Record<Kind, string> = {
  influencer: `${SHARED},username,category,profile_image,verified,approved,profiles(email)`,
  agency: `${SHARED},company_name,type,logo_url,email,phone`,
  vendor: `${SHARED},company_name,type,logo_url,email,phone`,
};

export const moderationOf = (row: RecordRow): Moderation => ({
  access_influencer_page: row.access_influencer_page,
  access_agencies_page: row.access_agencies_page,
  access_events_page: row.access_events_page,
  access_gigs_page: row.access_gigs_page,
  badge_type: row.badge_type,
  subscription_start_date: row.subscription_start_date,
  subscription_end_date: row.subscription_end_date,
});

/** Null if there is no such profile. */
export async function recordOf(kind: Kind, id: string, signal?: AbortSignal): Promise<RecordRow | null> {
  const request = rest().from(TABLES[kind]).select(COLUMNS[kind]).eq('id', id);
  const { data, error } = await (signal ? request.abortSignal(signal) : request)
    .maybeSingle()
    .overrideTypes<RecordRow, { merge: false }>();
  // A malformed id can't belong to any profile.
  if (error?.code === '22P02') return null;
  if (error) throw error;
  return data;
}

/** Refetched at each visit, because another admin may have changed it. */
export const recordQuery = (kind: Kind, id: string) =>
  queryOptions({
    queryKey: ['admin', 'record', kind, id],
    staleTime: 0,
    queryFn: ({ signal }) => recordOf(kind, id, signal),
  });

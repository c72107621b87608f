import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { Database } from '@/lib/database.types';
import { type Cursor, nextCursor, type Page, pageAfter } from '@/lib/pages';
import { rest } from '@/lib/supabase';

type Row = Database['public']['Views']['enquiries']['Row'];

/** The generated types make every view column nullable, but constraints on the table guarantee these. */
export type Enquiry = Row & {
  id: string;
  sender_name: string;
  deliverables: string;
  message: string;
  state: string;
  created_at: string;
  expires_at: string;
  /** Null if the profile was deleted. */
  influencers: Recipient | null;
};

export interface Recipient {
  id: string;
  user_id: string | null;
  name: string;
  username: string;
  profile_image: string | null;
}

/** How many profiles one brief can go to. */
export const MOST_RECIPIENTS = 10;
export const STATES = ['open', 'accepted', 'declined', 'withdrawn', 'expired', 'cancelled'] as const;
export type Box = 'received' | 'sent';

const KEY = 'enquiries';
export const enquiriesKey = (userId: string) => [KEY, userId] as const;
const COLUMNS = '*,influencers(id,user_id,name,username,profile_image)';

/** Newest first. `party` is the profile that received them, or the account that sent them. */
export const enquiriesQuery = (input: { userId: string; box: Box; party: string | null; state: string }) =>
  infiniteQueryOptions({
    queryKey: [...enquiriesKey(input.userId), input.box, input.party, input.state],
    initialPageParam: null as Cursor | null,
    queryFn: async ({ pageParam, signal }): Promise<Page<Enquiry>> => {
      if (!input.party) return { rows: [], total: null };
      const column = input.box === 'received' ? 'influencer_id' : 'sender_user_id';
      const all = rest().from('enquiries').select(COLUMNS).eq(column, input.party);
      const chosen = input.state ? all.eq('state', input.state) : all;
      const { data, error } = await pageAfter(chosen, pageParam)
        .abortSignal(signal)
        .overrideTypes<Enquiry[], { merge: false }>();
      if (error) throw error;
      return { rows: data, total: null };
    },
    getNextPageParam: nextCursor<Enquiry>,
  });

/** `null` if there is none, or if this account is neither its sender nor its recipient. */
export const enquiryQuery = (userId: string, id: string) =>
  queryOptions({
    queryKey: [...enquiriesKey(userId), 'one', id],
    queryFn: async ({ signal }) => {
      const { data, error } = await rest()
        .from('enquiries')
        .select(COLUMNS)
        .eq('id', id)
        .abortSignal(signal)
        .maybeSingle()
        .overrideTypes<Enquiry, { merge: false }>();
      if (error?.code === '22P02') return null;
      if (error) throw error;
      return data;
    },
  });

/** The other party's e-mail address, once the enquiry is accepted. */
export const contactQuery = (userId: string, id: string) =>
  queryOptions({
    queryKey: [...enquiriesKey(userId), 'contact', id],
    queryFn: async ({ signal }) => {
      const { data, error } = await rest().rpc('enquiry_contact', { enquiry_id: id }).abortSignal(signal);
      if (error) throw error;
      return data as string | null;
    },
  });

/** How many more enquiries the account can send today. */
export const allowanceQuery = (userId: string) =>
  queryOptions({
    queryKey: [...enquiriesKey(userId), 'allowance'],
    queryFn: async ({ signal }) => {
      const { data, error } = await rest().rpc('enquiries_left').abortSignal(signal);
      if (error) throw error;
      return data as number;
    },
  });

/** The recipients of a brief, without profiles that don't exist or that this visitor may not see. */
export const recipientsQuery = (ids: string[]) =>
  queryOptions({
    queryKey: [KEY, 'recipients', ...ids],
    queryFn: async ({ signal }) => {
      const { data, error } = await rest()
        .from('influencers')
        .select('id,user_id,name,username,profile_image')
        .in('id', ids)
        .eq('approved', true)
        .abortSignal(signal)
        .overrideTypes<Recipient[], { merge: false }>();
      // A malformed id can't belong to any influencer.
      if (error?.code === '22P02') return [];
      if (error) throw error;
      return ids.flatMap((id) => data.find((row) => row.id === id) ?? []);
    },
  });

/** What a guest's mailed link shows: one brief and its answers. */
export interface GuestBrief {
  sender_name: string | null;
  sender_company: string | null;
  deliverables: string;
  message: string;
  budget_from: number | null;
  budget_to: number | null;
  starts_on: string | null;
  ends_on: string | null;
  created_at: string;
  enquiries: GuestEnquiry[];
}

export interface GuestEnquiry {
  id: string;
  state: string;
  answer: string | null;
  reason: string | null;
  answered_at: string | null;
  expires_at: string;
  influencer_id: string | null;
  influencer_name: string;
  influencer_email: string | null;
}

export const guestBriefQuery = (token: string) =>
  queryOptions({
    queryKey: [KEY, 'guest', token],
    queryFn: async ({ signal }) => {
      const { data, error, status } = await rest().rpc('guest_enquiry', { token }).abortSignal(signal);
      if (status === 404) return null;
      if (error) throw error;
      return data as unknown as GuestBrief;
    },
  });

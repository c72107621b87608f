import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { type Cursor, counting, nextCursor, type Page, pageAfter } from '@/lib/pages';
import { rest } from '@/lib/supabase';
import type { Delivery, Notification } from './kinds';

const COLUMNS = 'id,kind,data,created_at,seen_at';
/** How many the bell shows. */
const NEWEST = 6;
const POLL_MS = 60_000;

export const NOTIFICATIONS_KEY = ['notifications'];

/** How many are unread. Polled once a minute while the page is visible; the response has no body. */
export const unreadQuery = (userId: string) =>
  queryOptions({
    queryKey: [...NOTIFICATIONS_KEY, userId, 'unread'],
    refetchInterval: POLL_MS,
    staleTime: 0,
    refetchOnWindowFocus: true,
    // A failed request is repeated after a minute.
    retry: false,
    queryFn: async ({ signal }) => {
      const { count, error } = await rest()
        .from('notifications')
        .select('id', { count: 'exact', head: true })
        .is('seen_at', null)
        .abortSignal(signal);
      if (error) throw error;
      return count ?? 0;
    },
  });

/** The newest, for the bell. */
export const newestQuery = (userId: string) =>
  queryOptions({
    queryKey: [...NOTIFICATIONS_KEY, userId, 'newest'],
    staleTime: 0,
    queryFn: async ({ signal }) => {
      const { data, error } = await rest()
        .from('notifications')
        .select(COLUMNS)
        .order('created_at', { ascending: false })
        .order('id', { ascending: false })
        .limit(NEWEST)
        .abortSignal(signal)
        .overrideTypes<Notification[], { merge: false }>();
      if (error) throw error;
      return data;
    },
  });

export const listQuery = (userId: string) =>
  infiniteQueryOptions({
    queryKey: [...NOTIFICATIONS_KEY, userId, 'list'],
    staleTime: 0,
    initialPageParam: null as Cursor | null,
    queryFn: async ({ pageParam, signal }): Promise<Page<Notification>> => {
      const query = rest().from('notifications').select(COLUMNS, counting(pageParam));
      const { data, count, error } = await pageAfter(query, pageParam)
        .abortSignal(signal)
        .overrideTypes<Notification[], { merge: false }>();
      if (error) throw error;
      return { rows: data, total: count };
    },
    getNextPageParam: nextCursor,
  });

/** Settings by kind. Kinds without a row are mailed immediately. */
export const settingsQuery = (userId: string) =>
  queryOptions({
    queryKey: [...NOTIFICATIONS_KEY, userId, 'settings'],
    queryFn: async ({ signal }) => {
      const { data, error } = await rest()
        .from('notification_settings')
        .select('kind,delivery')
        .abortSignal(signal)
        .overrideTypes<{ kind: string; delivery: Delivery }[], { merge: false }>();
      if (error) throw error;
      return Object.fromEntries(data.map(({ kind, delivery }) => [kind, delivery])) as Record<string, Delivery>;
    },
  });

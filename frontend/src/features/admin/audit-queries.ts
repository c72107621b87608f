import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { type Cursor, cursorAfter, pageAfter } from '@/lib/pages';
import { rest } from '@/lib/supabase';
import { searchedText } from '@/lib/text-match';
import {
  ACTIONS,
  type ActionChoice,
  type AuditEntry,
  type AuditFilters,
  endOf,
  KINDS,
  namedAs,
  startOf,
} from './audit';
import { type Kind, TABLES } from './lists';
import { emailsOf } from './queries';
import { STAFF_ROLES } from './staff-queries';

const PAGE_SIZE = 50;

/** An entry with the id of its profile, while that exists, to link to its management page. */
export interface LinkedEntry extends AuditEntry {
  profileId: string | undefined;
}

/** Newest first. Each page starts after the last loaded entry, because new entries are added at the top. */
export const auditQuery = (filters: AuditFilters) =>
  infiniteQueryOptions({
    queryKey: ['admin', 'audit', filters],
    initialPageParam: null as Cursor | null,
    placeholderData: keepPreviousData,
    queryFn: async ({ pageParam, signal }): Promise<LinkedEntry[]> => {
      let request = rest().from('audit_log').select('*');
      if (filters.action) request = request.in('action', ACTIONS[filters.action as ActionChoice].actions);
      if (filters.actor) request = request.eq('actor_id', filters.actor);
      if (filters.from) request = request.gte('created_at', startOf(filters.from));
      if (filters.to) request = request.lt('created_at', endOf(filters.to));
      const text = searchedText(filters.q);
      if (text) request = request.or(namedAs(text));
      const { data, error } = await pageAfter(request, pageParam, { size: PAGE_SIZE })
        .abortSignal(signal)
        .overrideTypes<AuditEntry[], { merge: false }>();
      if (error) throw error;
      return linked(data, signal);
    },
    getNextPageParam: (last) =>
      cursorAfter(
        last.map(({ id, created_at }) => ({ id: String(id), created_at })),
        PAGE_SIZE,
      ),
  });

/** Sends one request for each kind of profile on the page. */
async function linked(entries: AuditEntry[], signal: AbortSignal): Promise<LinkedEntry[]> {
  const found = await Promise.all(
    KINDS.map(async (kind) => {
      const ids = new Set(entries.filter((entry) => entry.subject_type === kind).map((entry) => entry.subject_id));
      if (ids.size === 0) return [];
      const { data, error } = await rest()
        .from(TABLES[kind as Kind] as 'influencers')
        .select('id,user_id')
        .in('user_id', [...ids])
        .abortSignal(signal);
      if (error) throw error;
      return data.map((row) => [`${kind} ${row.user_id}`, row.id ?? undefined] as const);
    }),
  );
  const profiles = new Map(found.flat());
  return entries.map((entry) => ({ ...entry, profileId: profiles.get(`${entry.subject_type} ${entry.subject_id}`) }));
}

const MOST_ACTORS = 100;

/** The current admins, for the filter. Former admins can be found by their e-mail address. */
export const actorsQuery = queryOptions({
  queryKey: ['admin', 'actors'],
  queryFn: async ({ signal }) => {
    const { data, error } = await rest()
      .from('user_roles')
      .select('user_id')
      .in('role', STAFF_ROLES)
      .limit(MOST_ACTORS)
      .abortSignal(signal);
    if (error) throw error;
    const emails = await emailsOf([...new Set(data.map((row) => row.user_id ?? ''))], signal);
    return [...emails].map(([id, email]) => ({ id, email })).sort((a, b) => a.email.localeCompare(b.email));
  },
});

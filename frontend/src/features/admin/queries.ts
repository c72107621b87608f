import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { rest } from '@/lib/supabase';
import { containsAny, likePattern, searchedText } from '@/lib/text-match';
import { KIND_OF, type List, type ListFilters, type Sort, searchedIn, TABLES } from './lists';

export const PAGE_SIZE = 50;

/** One row of an account list, for every kind of account. */
export interface AccountRow {
  id: string;
  userId: string;
  name: string;
  /** `@username`, or the company name. */
  second: string;
  email: string | null;
  /** The category or type. */
  group: string | null;
  picture: string | null;
  badge: string;
}

export interface RowPage<Row> {
  rows: Row[];
  total: number;
}

export interface Counts {
  pending: number;
  influencers: number;
  agencies: number;
  vendors: number;
  admins: number;
}

export const listKey = (list: List) => ['admin', 'list', list] as const;
export const COUNTS_KEY = ['admin', 'counts'] as const;

/** The number of accounts in each tab. Null if the caller is not (or no longer) an admin. */
export const countsQuery = queryOptions({
  queryKey: COUNTS_KEY,
  queryFn: async ({ signal }): Promise<Counts | null> => {
    const { data, error } = await rest()
      .from('moderation_counts')
      .select('pending,influencers,agencies,vendors,admins')
      .abortSignal(signal)
      .overrideTypes<Counts[], { merge: false }>();
    if (error) throw error;
    return data[0] ?? null;
  },
});

interface InfluencerRecord {
  id: string;
  user_id: string;
  name: string;
  username: string;
  category: string;
  profile_image: string | null;
  badge_type: string;
}

interface BusinessRecord {
  id: string;
  user_id: string;
  name: string;
  company_name: string | null;
  email: string;
  type: string | null;
  logo_url: string | null;
  badge_type: string;
}

/** The subset of postgrest-js query methods that the lists use, so that both kinds of records share the code. */
interface ListRequest {
  eq(column: string, value: string | boolean): this;
  or(filters: string): this;
  ilike(column: string, pattern: string): this;
  order(column: string, options: { ascending: boolean }): this;
}

const INFLUENCER = 'id,user_id,name,username,category,profile_image,badge_type';
const BUSINESS = 'id,user_id,name,company_name,email,type,logo_url,badge_type';

function sorted<Request extends ListRequest>(request: Request, sort: Sort): Request {
  const ascending = sort !== 'newest';
  return request.order(sort === 'name' ? 'name' : 'created_at', { ascending }).order('id', { ascending });
}

function listRequest(list: List, filters: ListFilters, columns?: string) {
  const kind = KIND_OF[list];
  const isInfluencer = kind === 'influencer';
  const searched = searchedIn(searchedText(filters.q));
  // Joins the profiles only for a search by e-mail address.
  const join = isInfluencer && searched && 'email' in searched ? ',profiles!inner(email)' : '';
  const select = `${columns ?? (isInfluencer ? INFLUENCER : BUSINESS)}${join}`;
  const head = columns !== undefined;
  return narrowed(rest().from(TABLES[kind]).select(select, { count: 'exact', head }), list, filters);
}

function narrowed<Request extends ListRequest>(all: Request, list: List, filters: ListFilters): Request {
  const isInfluencer = KIND_OF[list] === 'influencer';
  const searched = searchedIn(searchedText(filters.q));
  let request = all;
  if (isInfluencer) request = request.eq('approved', list !== 'pending');
  if (filters.group) request = request.eq(isInfluencer ? 'category' : 'type', filters.group);
  if (filters.badge) request = request.eq('badge_type', filters.badge);
  if (searched && 'email' in searched) {
    request = request.ilike(isInfluencer ? 'profiles.email' : 'email', likePattern(searched.email));
  } else if (searched) {
    request = request.or(containsAny(['name', isInfluencer ? 'username' : 'company_name'], searched.name));
  }
  return request;
}

/** PostgREST's error code for a page that starts after the last row. */
const PAST_THE_END = 'PGRST103';

/** Loads a page of accounts and their e-mail addresses in two requests, regardless of the number of rows. */
export const accountsQuery = (list: List, filters: ListFilters) =>
  queryOptions({
    queryKey: [...listKey(list), filters],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }): Promise<RowPage<AccountRow>> => {
      const from = (filters.page - 1) * PAGE_SIZE;
      const request = sorted(listRequest(list, filters), filters.sort).range(from, from + PAGE_SIZE - 1);
      const { data, error, count } = await request
        .abortSignal(signal)
        .overrideTypes<(InfluencerRecord | BusinessRecord)[], { merge: false }>();
      if (error?.code === PAST_THE_END) {
        const end = await listRequest(list, filters, 'id').abortSignal(signal);
        return { rows: [], total: end.count ?? 0 };
      }
      if (error) throw error;
      const rows = data ?? [];
      if (KIND_OF[list] !== 'influencer') {
        return { rows: (rows as BusinessRecord[]).map(businessRow), total: count ?? 0 };
      }
      const records = rows as InfluencerRecord[];
      const emails = await emailsOf(
        records.map((row) => row.user_id),
        signal,
      );
      return { rows: records.map((row) => influencerRow(row, emails)), total: count ?? 0 };
    },
  });

const influencerRow = (row: InfluencerRecord, emails: Map<string, string>): AccountRow => ({
  id: row.id,
  userId: row.user_id,
  name: row.name,
  second: `@${row.username}`,
  email: emails.get(row.user_id) ?? null,
  group: row.category,
  picture: row.profile_image,
  badge: row.badge_type,
});

const businessRow = (row: BusinessRecord): AccountRow => ({
  id: row.id,
  userId: row.user_id,
  name: row.name,
  second: row.company_name ?? '',
  email: row.email,
  group: row.type,
  picture: row.logo_url,
  badge: row.badge_type,
});

export async function emailsOf(ids: string[], signal: AbortSignal): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const { data, error } = await rest().from('profiles').select('id,email').in('id', ids).abortSignal(signal);
  if (error) throw error;
  return new Map(data.map((profile) => [profile.id ?? '', profile.email ?? '']));
}

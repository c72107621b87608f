import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query';
import { applyBusinessFilters, type BusinessFilters } from '@/lib/business-filters';
import { type Cursor, counting, LIST_CACHE, nextCursor, type Page, pageAfter } from '@/lib/pages';
import { rest } from '@/lib/supabase';

/** The columns that a card needs. */
export interface ListedAgency extends Cursor {
  name: string;
  company_name: string | null;
  location: string | null;
  type: string | null;
  logo_url: string | null;
  banner_url: string | null;
  badge_type: string | null;
  rating: number | null;
  review_count: number;
}

/** A new search has a new query key, and TanStack Query aborts the previous request, so a late response never wins. */
export const agencyList = (filters: BusinessFilters) =>
  infiniteQueryOptions({
    queryKey: ['agencies', 'list', filters.q, filters.type, filters.location],
    initialPageParam: null as Cursor | null,
    placeholderData: keepPreviousData,
    ...LIST_CACHE,
    queryFn: async ({ pageParam, signal }): Promise<Page<ListedAgency>> => {
      const all = rest()
        .from('agencies')
        .select(
          'id,name,company_name,location,type,logo_url,banner_url,badge_type,created_at,rating,review_count',
          counting(pageParam),
        );
      const filtered = applyBusinessFilters(all, filters);
      const { data, error, count } = await pageAfter(filtered, pageParam)
        .abortSignal(signal)
        .overrideTypes<ListedAgency[], { merge: false }>();
      if (error) throw error;
      return { rows: data, total: count };
    },
    getNextPageParam: nextCursor,
  });

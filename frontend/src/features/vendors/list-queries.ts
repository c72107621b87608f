import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query';
import { applyBusinessFilters, type BusinessFilters } from '@/lib/business-filters';
import { type Cursor, counting, LIST_CACHE, nextCursor, type Page, pageAfter } from '@/lib/pages';
import { rest } from '@/lib/supabase';

/** The columns that a card needs. */
export interface ListedVendor extends Cursor {
  name: string;
  company_name: string | null;
  description: string | null;
  location: string | null;
  email: string;
  phone: string | null;
  website: string | null;
  type: string | null;
  logo_url: string | null;
  badge_type: string | null;
}

/** A new search has a new query key, and TanStack Query aborts the previous request, so a late response never wins. */
export const vendorList = (filters: BusinessFilters) =>
  infiniteQueryOptions({
    queryKey: ['vendors', 'list', filters.q, filters.type, filters.location],
    initialPageParam: null as Cursor | null,
    placeholderData: keepPreviousData,
    ...LIST_CACHE,
    queryFn: async ({ pageParam, signal }): Promise<Page<ListedVendor>> => {
      const all = rest()
        .from('vendors')
        .select(
          'id,name,company_name,description,location,email,phone,website,type,logo_url,badge_type,created_at',
          counting(pageParam),
        );
      const filtered = applyBusinessFilters(all, filters);
      const { data, error, count } = await pageAfter(filtered, pageParam)
        .abortSignal(signal)
        .overrideTypes<ListedVendor[], { merge: false }>();
      if (error) throw error;
      return { rows: data, total: count };
    },
    getNextPageParam: nextCursor,
  });

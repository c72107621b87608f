import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query';
import { CARD_COLUMNS, type CardInfluencer } from '@/components/influencer-card';
import { rest } from '@/lib/supabase';
import { applyFilters, type Filterable, type Filters, paramsFrom } from './filters';

export const PAGE_SIZE = 24;

export interface SearchPage {
  rows: CardInfluencer[];
  total: number;
}

/** A page at a time, the exact total with each. A newer search aborts the older one: a late answer never wins. */
export const searchQuery = (filters: Filters) =>
  infiniteQueryOptions({
    queryKey: ['influencers', 'search', paramsFrom(filters).toString()],
    initialPageParam: 0,
    placeholderData: keepPreviousData,
    queryFn: async ({ pageParam, signal }): Promise<SearchPage> => {
      const all = rest().from('influencers').select(CARD_COLUMNS, { count: 'exact' });
      // The builder's own types name every column; the filters only need its few methods.
      const filtered = applyFilters(all as unknown as Filterable<never>, filters) as unknown as typeof all;
      const { data, error, count } = await filtered
        .order('created_at', { ascending: false })
        .order('id', { ascending: false })
        .range(pageParam, pageParam + PAGE_SIZE - 1)
        .abortSignal(signal)
        .overrideTypes<CardInfluencer[], { merge: false }>();
      if (error) throw error;
      return { rows: data, total: count ?? data.length };
    },
    getNextPageParam: (last, pages) => {
      const loaded = pages.reduce((sum, page) => sum + page.rows.length, 0);
      return last.rows.length > 0 && loaded < last.total ? loaded : undefined;
    },
  });

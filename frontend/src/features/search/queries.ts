import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query';
import { CARD_COLUMNS, type CardInfluencer } from '@/components/influencer-card';
import { type Cursor, counting, LIST_CACHE, nextCursor, type Page, type Pageable, pageAfter } from '@/lib/pages';
import { rest } from '@/lib/supabase';
import { paramsFrom } from './address';
import { applyFilters, type Filterable, type Filters, type Screen } from './filters';

export type ListedInfluencer = CardInfluencer & Cursor;

/** A new search has a new query key, and TanStack Query aborts the previous request, so a late response never wins. */
export const influencerList = (filters: Filters, screen: Screen) =>
  infiniteQueryOptions({
    queryKey: ['influencers', 'list', screen, paramsFrom(filters).toString()],
    initialPageParam: null as Cursor | null,
    placeholderData: keepPreviousData,
    ...LIST_CACHE,
    queryFn: async ({ pageParam, signal }): Promise<Page<ListedInfluencer>> => {
      const all = rest().from('influencers').select(`${CARD_COLUMNS},created_at`, counting(pageParam));
      // The builder's own types name every column; filters and pages need only a few of its methods.
      const filtered = applyFilters(all as unknown as Filterable<never> & Pageable<never>, filters, screen);
      const { data, error, count } = await (pageAfter(filtered, pageParam) as unknown as typeof all)
        .abortSignal(signal)
        .overrideTypes<ListedInfluencer[], { merge: false }>();
      if (error) throw error;
      return { rows: data, total: count };
    },
    getNextPageParam: nextCursor,
  });

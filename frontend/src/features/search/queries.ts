import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query';
import { CARD_COLUMNS, type CardInfluencer } from '@/components/influencer-card';
import { type Cursor, counting, LIST_CACHE, nextCursor, type Page, pageAfter } from '@/lib/pages';
import { rest } from '@/lib/supabase';
import { paramsFrom } from './address';
import { applyFilters, type Filters, type Screen } from './filters';

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
      const filtered = applyFilters(all, filters, screen);
      const { data, error, count } = await pageAfter(filtered, pageParam)
        .abortSignal(signal)
        .overrideTypes<ListedInfluencer[], { merge: false }>();
      if (error) throw error;
      return { rows: data, total: count };
    },
    getNextPageParam: nextCursor,
  });

import { infiniteQueryOptions } from '@tanstack/react-query';
import { CARD_COLUMNS, type CardInfluencer } from '@/components/influencer-card';
import { rest } from '@/lib/supabase';

export const PAGE_SIZE = 24;

/** The cards of the favorites, one page at a time. Profiles missing from the result are no longer listed. */
export const favoriteCardsQuery = (ids: string[]) =>
  infiniteQueryOptions({
    queryKey: ['favorites', 'cards', ids.join()],
    initialPageParam: 0,
    queryFn: async ({ pageParam, signal }) => {
      const { data, error } = await rest()
        .from('influencers')
        .select(CARD_COLUMNS)
        .in('id', ids.slice(pageParam, pageParam + PAGE_SIZE))
        .abortSignal(signal)
        .overrideTypes<CardInfluencer[], { merge: false }>();
      if (error) throw error;
      return data;
    },
    getNextPageParam: (_last, pages) => {
      const asked = pages.length * PAGE_SIZE;
      return asked < ids.length ? asked : undefined;
    },
  });

import { queryOptions } from '@tanstack/react-query';
import type { CardInfluencer } from '@/components/influencer-card';
import { LIST_CACHE } from '@/lib/pages';
import { rest } from '@/lib/supabase';

/** Shorter words are too common to be close to anything. */
const SHORTEST = 3;

/** Profiles whose name, place or bio comes close to the text, for a search without matches. */
export const closeInfluencers = (text: string) => {
  const query = text.trim();
  return queryOptions({
    queryKey: ['influencers', 'close', query],
    enabled: query.length >= SHORTEST,
    ...LIST_CACHE,
    queryFn: async ({ signal }) => {
      const { data, error } = await rest()
        .rpc('search_close_influencers', { query }, { get: true })
        .abortSignal(signal)
        .overrideTypes<CardInfluencer[], { merge: false }>();
      if (error) throw error;
      return data;
    },
  });
};

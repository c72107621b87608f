import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { CARD_COLUMNS, type CardInfluencer } from '@/components/influencer-card';
import { rest } from '@/lib/supabase';
import { newestOf } from './grid';

/** Exactly the columns of the database function: what the carousel shows. */
export type Featured = Pick<
  CardInfluencer,
  'id' | 'name' | 'username' | 'category' | 'profile_image' | 'instagram_followers' | 'tiktok_followers'
>;

export const featuredQuery = queryOptions({
  queryKey: ['influencers', 'featured'],
  queryFn: async ({ signal }) => {
    const { data, error } = await rest()
      .rpc('featured_influencers', undefined, { get: true })
      .abortSignal(signal)
      .overrideTypes<Featured[], { merge: false }>();
    if (error) throw error;
    return data;
  },
});

export const categoryQuery = (category: string) =>
  queryOptions({
    queryKey: ['influencers', 'home', category],
    // Keeps the previous rows, and with them the grid's height, until the new category is loaded.
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const { data, error } = await newestOf(rest().from('influencers').select(CARD_COLUMNS), category)
        .abortSignal(signal)
        .overrideTypes<CardInfluencer[], { merge: false }>();
      if (error) throw error;
      return data;
    },
  });

import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { CARD_COLUMNS, type CardInfluencer } from '@/components/influencer-card';
import { rest } from '@/lib/supabase';

/** Exactly what the carousel shows. */
export type Featured = Pick<
  CardInfluencer,
  'id' | 'name' | 'username' | 'category' | 'profile_image' | 'instagram_followers' | 'tiktok_followers'
>;

export const featuredQuery = queryOptions({
  queryKey: ['influencers', 'featured'],
  queryFn: async ({ signal }) => {
    const { data, error } = await rest()
      .from('influencers')
      .select('id,name,username,category,profile_image,instagram_followers,tiktok_followers')
      .eq('approved', true)
      .order('created_at', { ascending: false })
      .order('id', { ascending: false })
      .limit(4)
      .abortSignal(signal)
      .overrideTypes<Featured[], { merge: false }>();
    if (error) throw error;
    return data;
  },
});

/** Two rows of four. */
export const HOME_SIZE = 8;

export const categoryQuery = (category: string) =>
  queryOptions({
    queryKey: ['influencers', 'home', category],
    // The grid keeps its height until the other category is here.
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      let query = rest().from('influencers').select(CARD_COLUMNS).eq('approved', true);
      if (category !== 'All') query = query.eq('category', category);
      const { data, error } = await query
        .order('created_at', { ascending: false })
        .order('id', { ascending: false })
        .limit(HOME_SIZE)
        .abortSignal(signal)
        .overrideTypes<CardInfluencer[], { merge: false }>();
      if (error) throw error;
      return data;
    },
  });

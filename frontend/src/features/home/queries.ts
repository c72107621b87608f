import { queryOptions } from '@tanstack/react-query';
import { CARD_COLUMNS, type CardInfluencer } from '@/components/influencer-card';
import { rest } from '@/lib/supabase';

export const CATEGORIES = ['All', 'Fashion', 'Tech', 'Gaming', 'Lifestyle', 'Beauty', 'Travel'] as const;
export type Category = (typeof CATEGORIES)[number];

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

export const categoryQuery = (category: Category) =>
  queryOptions({
    queryKey: ['influencers', 'home', category],
    queryFn: async ({ signal }) => {
      let query = rest().from('influencers').select(CARD_COLUMNS).eq('approved', true);
      if (category !== 'All') query = query.eq('category', category);
      const { data, error } = await query
        .order('created_at', { ascending: false })
        .order('id', { ascending: false })
        .limit(8)
        .abortSignal(signal)
        .overrideTypes<CardInfluencer[], { merge: false }>();
      if (error) throw error;
      return data;
    },
  });

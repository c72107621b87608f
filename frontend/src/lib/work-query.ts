import { queryOptions } from '@tanstack/react-query';
import { LIST_CACHE } from './pages';
import { postsOf } from './profile-json';
import { rest } from './supabase';

const SHOWN = 3;

/** The first content pictures of an influencer, for its card. */
export const workQuery = (id: string) =>
  queryOptions({
    queryKey: ['influencers', 'work', id],
    ...LIST_CACHE,
    queryFn: async ({ signal }) => {
      const { data, error } = await rest()
        .from('influencers')
        .select('content_posts')
        .eq('id', id)
        .abortSignal(signal)
        .maybeSingle();
      if (error) throw error;
      return postsOf(data?.content_posts).slice(0, SHOWN);
    },
  });

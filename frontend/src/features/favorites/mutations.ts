import { rest } from '@/lib/supabase';

/** Adds or removes a favorite. Idempotent. */
export async function setFavorite(userId: string, influencerId: string, keep: boolean): Promise<void> {
  const { error } = keep
    ? await rest().from('favorites').insert({ user_id: userId, influencer_id: influencerId })
    : await rest().from('favorites').delete().eq('influencer_id', influencerId);
  if (error && error.code !== '23505') throw error;
}

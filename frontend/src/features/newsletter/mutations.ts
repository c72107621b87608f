import { rest } from '@/lib/supabase';

/** A second time is fine and says the same: the database keeps one row, and tells nobody. */
export async function subscribe(email: string): Promise<void> {
  const { error } = await rest().from('newsletter_subscriptions').insert({ email });
  if (error && error.code !== '23505') throw error;
}

import { rest } from '@/lib/supabase';

/** A second time is fine and says the same: the database keeps one row, and tells nobody. */
export async function subscribe(email: string): Promise<void> {
  const { error } = await rest().from('newsletter_subscriptions').insert({ email });
  if (error && error.code !== '23505') throw error;
}

/** Whether the database takes it for no address: the one thing that it checks here. */
export const isRefusedAddress = (error: object): boolean => 'code' in error && error.code === '23514';

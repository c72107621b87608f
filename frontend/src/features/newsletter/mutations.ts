import { rest } from '@/lib/supabase';

export const INVALID_ADDRESS = 'Invalid email address';

/** A second time is fine and says the same: the database keeps one row, and tells nobody. */
export async function subscribe(email: string): Promise<void> {
  const { error } = await rest().from('newsletter_subscriptions').insert({ email });
  if (error && error.code !== '23505') throw error;
}

const isCalled = (code: string, error: object): boolean => 'code' in error && error.code === code;

/** What the form says of a failure. */
export function refusalOf(error: object): string {
  if (isCalled('23514', error)) return INVALID_ADDRESS;
  // A few from one network in an hour, and a bound for all together.
  if (isCalled('PT429', error)) return 'Too many subscriptions right now. Please try again later.';
  return 'That did not work. Please try again.';
}

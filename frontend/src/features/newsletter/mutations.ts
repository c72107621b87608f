import { rest } from '@/lib/supabase';

export const INVALID_ADDRESS = 'Invalid email address';

/** Subscribing twice succeeds, so that the response doesn't reveal who is subscribed. The database keeps one row. */
export async function subscribe(email: string): Promise<void> {
  const { error } = await rest().from('newsletter_subscriptions').insert({ email });
  if (error && error.code !== '23505') throw error;
}

const isCalled = (code: string, error: object): boolean => 'code' in error && error.code === code;

/** The form's message for an error. */
export function refusalOf(error: object): string {
  if (isCalled('23514', error)) return INVALID_ADDRESS;
  // The database limits subscriptions per hour, for each network and in total.
  if (isCalled('PT429', error)) return 'Too many subscriptions right now. Please try again later.';
  return 'Something went wrong. Please try again.';
}

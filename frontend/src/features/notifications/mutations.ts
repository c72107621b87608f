import { FunctionsFetchError, FunctionsHttpError } from '@supabase/functions-js';
import { functions } from '@/lib/functions';
import { rest } from '@/lib/supabase';
import type { Delivery } from './kinds';

/** Marks these as read, or all without ids. Returns how many are unread. */
export async function markSeen(ids?: string[]): Promise<number> {
  const { data, error } = await rest().rpc('mark_notifications_seen', ids ? { ids } : {});
  if (error) throw error;
  return data;
}

export async function setDelivery(kinds: string[], delivery: Delivery): Promise<void> {
  const { error } = await rest().rpc('set_notification_delivery', { kinds, delivery });
  if (error) throw error;
}

/** The link in the e-mail does not work anymore. */
export class LinkExpired extends Error {}

/** Unsubscribes from the kind of e-mail that the token of a mailed link names. */
export async function unsubscribe(token: string): Promise<void> {
  const { error } = await functions().invoke('unsubscribe', { body: { token } });
  if (!error) return;
  if (error instanceof FunctionsFetchError) throw new TypeError(error.message);
  const status = error instanceof FunctionsHttpError ? (error.context as Response).status : undefined;
  if (status === 404 || status === 400) throw new LinkExpired();
  throw error;
}

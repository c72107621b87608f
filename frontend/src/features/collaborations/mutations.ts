import { rest } from '@/lib/supabase';

/** Returns the state: 'accepted' until the other side has completed it, too. */
export async function completeCollaboration(id: string): Promise<string> {
  const { data, error } = await rest().rpc('complete_collaboration', { collaboration_id: id });
  if (error) throw error;
  return data;
}

export async function cancelCollaboration(id: string, reason: string): Promise<void> {
  const { error } = await rest().rpc('cancel_collaboration', { collaboration_id: id, reason });
  if (error) throw error;
}

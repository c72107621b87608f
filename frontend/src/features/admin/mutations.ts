import { rest } from '@/lib/supabase';

/** Somebody else was quicker: the row is not there any more. */
export class Gone extends Error {
  constructor() {
    super('This profile no longer exists. Somebody else may have removed it.');
  }
}

export async function approve(id: string): Promise<void> {
  const { data, error } = await rest().from('influencers').update({ approved: true }).eq('id', id).select('id');
  if (error) throw error;
  if (data.length === 0) throw new Gone();
}

export async function remove(id: string): Promise<void> {
  const { data, error } = await rest().from('influencers').delete().eq('id', id).select('id');
  if (error) throw error;
  if (data.length === 0) throw new Gone();
}

import { merge } from '@/features/editing/merge';
import { type UploadInput, uploadPictures } from '@/features/pictures/upload';
import { constraintOf } from '@/lib/errors';
import { rest } from '@/lib/supabase';
import { columnsOf, type InfluencerRow, rowOf } from './record';
import type { ProfileForm } from './schema';

export interface SaveInput extends Omit<UploadInput<'cover' | 'profile'>, 'kinds'> {
  before: InfluencerRow | null;
  form: ProfileForm;
  /** Whether to replace what another tab saved in the same fields. */
  overwrite?: boolean;
}

export interface Saved {
  row: InfluencerRow;
  /** Columns that another tab changed, which keep its values. */
  kept: string[];
}

/** Another tab saved different values for the same fields, so the user has to choose a version. */
export class Clash extends Error {
  constructor(
    readonly columns: string[],
    /** The record as it is now stored. */
    readonly row: InfluencerRow,
  ) {
    super('Changed in another tab');
  }
}

/** Uploads the pictures first, then updates the record, or inserts it if there is none. */
export async function saveProfile(input: SaveInput): Promise<Saved> {
  const { userId } = input;
  const pictures = await uploadPictures({ ...input, kinds: { cover: 'cover', profile: 'profile', photo: 'content' } });
  const row = rowOf(input.form, pictures, input.before, new Date());
  const now = await readOwn(userId);
  if (now) return update(input, row, now);
  const { data, error } = await rest()
    .from('influencers')
    .insert({ ...row, user_id: userId })
    .select()
    .single();
  if (!error) return { row: data, kept: [] };
  // Another tab inserted the record first.
  const first = constraintOf(error) === 'influencers_user_id_key' ? await readOwn(userId) : null;
  if (!first) throw error;
  return update(input, row, first);
}

async function update(input: SaveInput, row: ReturnType<typeof rowOf>, now: InfluencerRow): Promise<Saved> {
  const today = new Date();
  const { send, kept, clashes } = merge(columnsOf(input.before, today), row, columnsOf(now, today));
  // The age is derived from the date of birth.
  const disputed = clashes.filter((name) => name !== 'age');
  if (disputed.length > 0 && !input.overwrite) throw new Clash(disputed, now);
  if (Object.keys(send).length === 0) return { row: now, kept };
  const { data, error } = await rest().from('influencers').update(send).eq('user_id', input.userId).select().single();
  if (error) throw error;
  return { row: data, kept };
}

async function readOwn(userId: string): Promise<InfluencerRow | null> {
  const { data, error } = await rest().from('influencers').select('*').eq('user_id', userId).maybeSingle();
  if (error) throw error;
  return data;
}

/**
 * Marks the notice as seen, so that it is shown only once. Clocks may differ, and it can't be seen before it was
 * created.
 */
export async function seeNotice(id: string, createdAt: string): Promise<void> {
  const seen = new Date(Math.max(Date.now(), Date.parse(createdAt) + 1)).toISOString();
  const { error } = await rest().from('notices').update({ seen_at: seen }).eq('id', id);
  if (error) throw error;
}

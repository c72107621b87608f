import { merge } from '@/features/editing/merge';
import { type UploadInput, uploadPictures } from '@/features/pictures/upload';
import { constraintOf } from '@/lib/errors';
import { rest } from '@/lib/supabase';
import { columnsOf, type InfluencerRow, rowOf } from './record';
import type { ProfileForm } from './schema';

export interface SaveInput extends Omit<UploadInput<'cover' | 'profile'>, 'kinds'> {
  before: InfluencerRow | null;
  form: ProfileForm;
  /** What another tab wrote into the same fields is to be replaced. */
  overwrite?: boolean;
}

export interface Saved {
  row: InfluencerRow;
  /** Columns that another tab had changed, and that stay as it saved them. */
  kept: string[];
}

/** Another tab saved the same fields differently: the person has to say which is right. */
export class Clash extends Error {
  constructor(
    readonly columns: string[],
    /** The record as it is stored now. */
    readonly row: InfluencerRow,
  ) {
    super('Changed in another tab');
  }
}

/** Pictures first, then the record: updated when there is one, else inserted. */
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
  // Another tab was quicker.
  const first = constraintOf(error) === 'influencers_user_id_key' ? await readOwn(userId) : null;
  if (!first) throw error;
  return update(input, row, first);
}

async function update(input: SaveInput, row: ReturnType<typeof rowOf>, now: InfluencerRow): Promise<Saved> {
  const today = new Date();
  const { send, kept, clashes } = merge(columnsOf(input.before, today), row, columnsOf(now, today));
  // The age follows from the date of birth.
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

/** Shown once: the next visit does not ask again. Clocks differ, and a notice can't be seen before it was written. */
export async function seeNotice(id: string, createdAt: string): Promise<void> {
  const seen = new Date(Math.max(Date.now(), Date.parse(createdAt) + 1)).toISOString();
  const { error } = await rest().from('notices').update({ seen_at: seen }).eq('id', id);
  if (error) throw error;
}

import type { SaveInput } from '@/features/editing/portal';
import { saveRecord } from '@/features/editing/save-record';
import { uploadPictures } from '@/features/pictures/upload';
import { rest } from '@/lib/supabase';
import { ownProfileTable } from './queries';
import { columnsOf, type InfluencerRow, rowOf } from './record';
import type { ProfileForm } from './schema';

type Input = SaveInput<ProfileForm, InfluencerRow, 'cover' | 'profile'>;

/** Uploads the pictures first, then saves the record. */
export async function saveProfile({ before, form, overwrite, ...pictures }: Input) {
  const kinds = { cover: 'cover', profile: 'profile', photo: 'content' };
  const stored = await uploadPictures({ ...pictures, kinds });
  const today = new Date();
  return saveRecord(ownProfileTable, {
    userId: pictures.userId,
    columns: rowOf(form, stored, before, today),
    before,
    columnsOf: (row) => columnsOf(row, today),
    // From the date of birth.
    derived: ['age'],
    overwrite,
  });
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

import { saveRecord } from '@/features/editing/mutations';
import type { SaveInput } from '@/features/editing/use-business-form';
import { uploadPictures } from '@/features/pictures/upload';
import { type AgencyColumns, type AgencyRow, columnsOf, rowOf } from './record';
import type { AgencyForm } from './schema';

type Input = SaveInput<AgencyForm, AgencyRow, 'banner' | 'logo'>;

/** Uploads the pictures first, then saves the record. */
export async function saveAgency({ before, form, overwrite, ...pictures }: Input): Promise<AgencyRow> {
  const stored = await uploadPictures({ ...pictures, kinds: { banner: 'banner', logo: 'logo', photo: 'gallery' } });
  return saveRecord<AgencyRow, AgencyColumns>({
    table: 'agencies',
    userId: pictures.userId,
    columns: rowOf(form, stored),
    before,
    columnsOf,
    overwrite,
  });
}

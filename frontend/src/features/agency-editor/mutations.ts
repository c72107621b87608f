import type { SaveInput } from '@/features/editing/portal';
import { saveRecord } from '@/features/editing/save-record';
import { uploadPictures } from '@/features/pictures/upload';
import { ownAgencyTable } from './queries';
import { type AgencyRow, columnsOf, rowOf } from './record';
import type { AgencyForm } from './schema';

type Input = SaveInput<AgencyForm, AgencyRow, 'banner' | 'logo'>;

/** Uploads the pictures first, then saves the record. */
export async function saveAgency({ before, form, overwrite, ...pictures }: Input) {
  const stored = await uploadPictures({ ...pictures, kinds: { banner: 'banner', logo: 'logo', photo: 'gallery' } });
  const columns = rowOf(form, stored);
  return saveRecord(ownAgencyTable, { userId: pictures.userId, columns, before, columnsOf, overwrite });
}

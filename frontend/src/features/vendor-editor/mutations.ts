import type { SaveInput } from '@/features/editing/portal';
import { saveRecord } from '@/features/editing/save-record';
import { uploadPictures } from '@/features/pictures/upload';
import { ownVendorTable } from './queries';
import { columnsOf, rowOf, type VendorRow } from './record';
import type { VendorForm } from './schema';

type Input = SaveInput<VendorForm, VendorRow, 'logo'>;

/** Uploads the pictures first, then saves the record. */
export async function saveVendor({ before, form, overwrite, ...pictures }: Input) {
  const stored = await uploadPictures({ ...pictures, kinds: { logo: 'vendor-logo', photo: '' } });
  const columns = rowOf(form, stored);
  return saveRecord(ownVendorTable, { userId: pictures.userId, columns, before, columnsOf, overwrite });
}

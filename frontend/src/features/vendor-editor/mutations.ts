import { saveRecord } from '@/features/editing/mutations';
import type { SaveInput } from '@/features/editing/use-business-form';
import { uploadPictures } from '@/features/pictures/upload';
import { columnsOf, rowOf, type VendorColumns, type VendorRow } from './record';
import type { VendorForm } from './schema';

type Input = SaveInput<VendorForm, VendorRow, 'logo'>;

/** Uploads the logo first, then saves the record. */
export async function saveVendor({ before, form, overwrite, ...pictures }: Input): Promise<VendorRow> {
  const stored = await uploadPictures({ ...pictures, kinds: { logo: 'vendor-logo', photo: '' } });
  return saveRecord<VendorRow, VendorColumns>({
    table: 'vendors',
    userId: pictures.userId,
    columns: rowOf(form, stored),
    before,
    columnsOf,
    overwrite,
  });
}

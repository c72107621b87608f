// Converts between the database record and the form.
import type { StoredPictures } from '@/features/pictures/pending';
import type { Database } from '@/lib/database.types';
import type { VendorForm } from './schema';

export type VendorRow = Database['public']['Views']['vendors']['Row'];
type VendorInsert = Database['public']['Views']['vendors']['Insert'];

export const formOf = (row: VendorRow | null, email = ''): VendorForm => ({
  name: row?.name ?? '',
  company_name: row?.company_name ?? '',
  description: row?.description ?? '',
  email: row ? (row.email ?? '') : email,
  phone: row?.phone ?? '',
  website: row?.website ?? '',
  location: row?.location ?? '',
  type: row?.type ?? '',
});

export const picturesOf = (row: VendorRow | null): StoredPictures<'logo'> => ({
  slots: { logo: row?.logo_url ?? null },
  photos: [],
});

/** The columns to send: the owner's columns, and none that admins control. */
export const rowOf = (form: VendorForm, pictures: StoredPictures<'logo'>) =>
  ({
    name: form.name,
    company_name: form.company_name || null,
    description: form.description || null,
    email: form.email,
    phone: form.phone || null,
    website: form.website || null,
    location: form.location || null,
    type: form.type || null,
    logo_url: pictures.slots.logo,
  }) satisfies VendorInsert;

export type VendorColumns = ReturnType<typeof rowOf>;

/** A record's columns as the form would send them; without a record, those of an empty form. */
export const columnsOf = (row: VendorRow | null): VendorColumns => rowOf(formOf(row), picturesOf(row));

// Converts between the database record and the form.
import type { StoredPictures } from '@/features/pictures/pending';
import type { Database } from '@/lib/database.types';
import type { AgencyForm } from './schema';

export type AgencyRow = Database['public']['Views']['agencies']['Row'];
type AgencyInsert = Database['public']['Views']['agencies']['Insert'];

export type AgencyPictures = StoredPictures<'banner' | 'logo'>;

export const formOf = (row: AgencyRow | null, email = ''): AgencyForm => ({
  name: row?.name ?? '',
  company_name: row?.company_name ?? '',
  description: row?.description ?? '',
  email: row ? (row.email ?? '') : email,
  phone: row?.phone ?? '',
  website: row?.website ?? '',
  type: row?.type ?? '',
  location: row?.location ?? '',
  contracts_enabled: row?.contracts_enabled ?? false,
});

export const picturesOf = (row: AgencyRow | null): AgencyPictures => ({
  slots: { banner: row?.banner_url ?? null, logo: row?.logo_url ?? null },
  photos: row?.gallery ?? [],
});

/** The columns to send: the owner's columns, and none that admins control. */
export const rowOf = (form: AgencyForm, pictures: AgencyPictures) =>
  ({
    name: form.name,
    company_name: form.company_name || null,
    description: form.description || null,
    email: form.email,
    phone: form.phone || null,
    website: form.website || null,
    type: form.type || null,
    location: form.location || null,
    contracts_enabled: form.contracts_enabled,
    logo_url: pictures.slots.logo,
    banner_url: pictures.slots.banner,
    gallery: pictures.photos,
  }) satisfies AgencyInsert;

export type AgencyColumns = ReturnType<typeof rowOf>;

/** A record's columns as the form would send them; without a record, those of an empty form. */
export const columnsOf = (row: AgencyRow | null): AgencyColumns => rowOf(formOf(row), picturesOf(row));

// What distinguishes the forms of influencers, agencies and vendors. `use-record-form.ts` does the rest.
import type { QueryKey } from '@tanstack/react-query';
import type { FieldValues } from 'react-hook-form';
import type { z } from 'zod';
import type { StoredPictures } from '@/features/pictures/pending';
import type { PicturesStore } from '@/features/pictures/store';
import type { UploadInput } from '@/features/pictures/upload';
import type { Saved } from './save-record';

export interface Portal<Form extends FieldValues, Row, Name extends string> {
  /** The portal's user type. */
  kind: 'influencer' | 'agency' | 'vendor';
  schema: z.ZodType<Form, Form>;
  /** Display names of the fields, in the schema's order. */
  names: Record<string, string>;
  /** Display names of the columns that hold pictures. */
  pictureNames: Record<string, string>;
  /** The form field that edits a column; the column itself if they have the same name. */
  fieldOf: (column: string) => string;
  /** A field that is never saved, such as a list entry that was not added yet. */
  neverSaved?: string;
  pictures: PicturesStore<Name>;
  /** Without a record, the account's e-mail address is the suggested contact address. */
  formOf: (row: Row | null, email: string) => Form;
  picturesOf: (row: Row | null) => StoredPictures<Name>;
  ownKey: (userId: string) => QueryKey;
  /** The first element of the query keys to invalidate after a save, except for the account's own record. */
  root: string;
  saved: string;
  failed: string;
  showFault: (message: string) => void;
  /** The field to blame for a failed save, if it is known. */
  faultOf?: (error: Error) => { name: string; message: string } | undefined;
  save: (input: SaveInput<Form, Row, Name>) => Promise<Saved<Row>>;
}

export interface SaveInput<Form, Row, Name extends string> extends Omit<UploadInput<Name>, 'kinds'> {
  /** The record the form started from. */
  before: Row | null;
  form: Form;
  /** Whether to replace what another tab saved in the same fields. */
  overwrite: boolean;
}

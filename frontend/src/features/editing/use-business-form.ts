// The form of an agency or a vendor: validation, saving, conflicts with another tab, and restoring unsaved input after
// the session ended. Form fields have the names of the record's columns.
import { zodResolver } from '@hookform/resolvers/zod';
import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { type DefaultValues, type FieldErrors, type FieldValues, type Path, useForm, useWatch } from 'react-hook-form';
import type { z } from 'zod';
import type { PendingFile, StoredPictures } from '@/features/pictures/pending';
import type { PicturesStore } from '@/features/pictures/store';
import type { UploadInput } from '@/features/pictures/upload';
import { messageOf } from '@/lib/errors';
import { toast } from '@/lib/toast';
import { changedFields } from './changes';
import { firstFault } from './faults';
import { Clash } from './mutations';
import { useKeptDraft } from './use-kept-draft';

export interface Business<Form extends FieldValues, Row, Name extends string> {
  /** The portal's user type. */
  kind: 'agency' | 'vendor';
  schema: z.ZodType<Form, Form>;
  /** Display names of the fields, in the schema's order. */
  names: Record<string, string>;
  /** Display names of the columns that hold pictures. */
  pictureNames: Record<string, string>;
  pictures: PicturesStore<Name>;
  formOf: (row: Row | null) => Form;
  storedOf: (row: Row | null) => StoredPictures<Name>;
  ownKey: (userId: string) => QueryKey;
  /** The first element of the query keys to invalidate after a save, except for the account's own record. */
  root: string;
  saved: string;
  failed: string;
  refuse: (message: string) => void;
  save: (input: SaveInput<Form, Row, Name>) => Promise<Row>;
}

export interface SaveInput<Form, Row, Name extends string> extends Omit<UploadInput<Name>, 'kinds'> {
  before: Row | null;
  form: Form;
  /** Whether to replace what another tab saved in the same fields. */
  overwrite: boolean;
}

export function useBusinessForm<Form extends FieldValues, Row, Name extends string>(
  business: Business<Form, Row, Name>,
  input: {
    userId: string;
    row: Row | null;
    /** Opens the tab that contains a field. */
    openTabOf: (field: string) => void;
    onSaved: () => void;
  },
) {
  const { userId, row } = input;
  const client = useQueryClient();
  const pictures = business.pictures();
  const [clash, setClash] = useState<Clash<Row>>();
  const form = useForm<Form, unknown, Form>({
    resolver: zodResolver(business.schema),
    defaultValues: business.formOf(row) as DefaultValues<Form>,
    shouldFocusError: false,
  });
  const values = useWatch({ control: form.control }) as Form;
  const { dirtyFields } = form.formState;
  const changed = changedFields(business.names, dirtyFields, pictures.changed);
  const { picturesKept, discard } = useKeptDraft({
    kind: business.kind,
    userId,
    form,
    pictures: business.pictures,
    unsaved: changed.length > 0,
  });

  const firstRow = useRef(row);
  useEffect(() => {
    // Pictures that were chosen in this tab before the session ended are still in the store.
    if (!picturesKept) business.pictures.getState().load(business.storedOf(firstRow.current));
  }, [picturesKept, business]);

  /** Resets the form to the stored record, except for the fields in `keep`, which keep their typed values. */
  function adopt(stored: Row, keep: string[]) {
    const typed = form.getValues();
    form.reset(business.formOf(stored));
    for (const name of keep) form.setValue(name as Path<Form>, typed[name], { shouldDirty: true });
    client.setQueryData(business.ownKey(userId), stored);
  }

  const { mutateAsync, isPending } = useMutation({
    mutationFn: ({ valid, overwrite }: { valid: Form; sent: Form; overwrite: boolean }) => {
      const { slots, photos, sent: onProgress, fail } = business.pictures.getState();
      const onFailed = (kind: string, file: PendingFile) => {
        fail(file.id);
        toast.error(`Failed to upload ${kind} image`);
      };
      return business.save({ userId, before: row, form: valid, overwrite, slots, photos, onProgress, onFailed });
    },
    onSuccess: (stored, { sent }) => {
      const typed = form.getValues();
      // Fields that were edited while the save was in progress.
      const later = Object.keys(business.names).filter((name) => typed[name] !== sent[name]);
      adopt(stored, later);
      business.pictures.getState().settle(business.storedOf(stored));
      void client.invalidateQueries({
        predicate: ({ queryKey: [root, part] }) => root === business.root && part !== 'own',
      });
      toast.success(business.saved);
      input.onSaved();
    },
    onError: (error) => {
      if (error instanceof Clash) setClash(error);
      else toast.error(business.failed, { description: messageOf(error) });
    },
    onSettled: () => business.pictures.setState({ sending: {} }),
  });

  /** Shows only the first error: opens its tab and focuses its field. */
  function refuse(errors: FieldErrors<Form>) {
    const fault = firstFault(errors, Object.keys(business.names));
    if (!fault) return;
    // Rendered immediately, because a field in a closed tab can't be focused.
    flushSync(() => {
      for (const name of Object.keys(errors)) if (name !== fault.name) form.clearErrors(name as Path<Form>);
      input.openTabOf(fault.name);
    });
    form.setFocus(fault.name as Path<Form>);
    business.refuse(fault.message);
  }

  // A second click in the same tick finds the button still enabled.
  const busy = useRef(false);
  /** Resolves to whether everything was stored. A failed save has already shown its error. */
  async function submit(overwrite = false): Promise<boolean> {
    if (busy.current) return false;
    busy.current = true;
    let stored = false;
    const store = async (valid: Form) => {
      stored = await mutateAsync({ valid, sent: { ...form.getValues() }, overwrite }).then(
        () => !business.pictures.getState().changed,
        () => false,
      );
    };
    await form.handleSubmit(store, refuse)();
    busy.current = false;
    return stored;
  }

  /** Takes the stored values of the conflicting fields, and keeps the other typed values. */
  function takeTheirs({ columns, row: theirs }: Clash<Row>) {
    const dirty = dirtyFields as Record<string, unknown>;
    adopt(
      theirs,
      Object.keys(business.names).filter((name) => dirty[name] && !columns.includes(name)),
    );
    if (columns.some((column) => column in business.pictureNames)) pictures.load(business.storedOf(theirs));
    else pictures.settle(business.storedOf(theirs));
  }

  return {
    form,
    values,
    changed,
    discard,
    submit,
    isSaving: isPending,
    /** Set while the user is asked which version to keep. */
    clash: clash && {
      fields: clash.columns.map((column) => business.names[column] ?? business.pictureNames[column] ?? column),
      onCancel: () => setClash(undefined),
      onMine: () => {
        setClash(undefined);
        void submit(true);
      },
      onTheirs: () => {
        setClash(undefined);
        takeTheirs(clash);
      },
    },
  };
}

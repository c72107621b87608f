// The form of a portal's own record: validation, saving, conflicts with another tab, failed uploads, and restoring
// unsaved input after the session ended.
import { zodResolver } from '@hookform/resolvers/zod';
import { hashKey, useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { type DefaultValues, type FieldErrors, type FieldValues, type Path, useForm, useWatch } from 'react-hook-form';
import { useSession } from '@/app/session';
import { isUnsaved, type PendingFile, pendingFile } from '@/features/pictures/pending';
import { toast } from '@/lib/toast';
import { changedFields, isDirty } from './changes';
import { isSessionOver, saveFailure, uploadFailure } from './failure';
import { type Fault, firstFault } from './faults';
import type { Portal } from './portal';
import { Clash, type Saved } from './save-record';
import { useKeptDraft } from './use-kept-draft';

export function useRecordForm<Form extends FieldValues, Row, Name extends string>(
  portal: Portal<Form, Row, Name>,
  input: {
    userId: string;
    row: Row | null;
    /** Opens the tab that contains a field. */
    openTabOf: (field: string) => void;
    onSaved: () => void;
  },
) {
  const { userId, row } = input;
  const { account, signOut } = useSession();
  const email = account?.email ?? '';
  const client = useQueryClient();
  const pictures = portal.pictures();
  const [clash, setClash] = useState<Clash<Row>>();
  const form = useForm<Form, unknown, Form>({
    resolver: zodResolver(portal.schema),
    defaultValues: portal.formOf(row, email) as DefaultValues<Form>,
    shouldFocusError: false,
  });
  const values = useWatch({ control: form.control }) as Form;
  const fields = Object.keys(portal.names) as Path<Form>[];
  const { dirtyFields } = form.formState;
  const changed = changedFields(portal.names, dirtyFields, pictures.changed);
  const { picturesKept, discard } = useKeptDraft({
    kind: portal.kind,
    userId,
    form,
    pictures: portal.pictures,
    unsaved: changed.length > 0,
  });

  const firstRow = useRef(row);
  useEffect(() => {
    // Pictures that were chosen in this tab before the session ended are still in the store.
    if (!picturesKept) portal.pictures.getState().load(portal.picturesOf(firstRow.current));
  }, [picturesKept, portal]);

  /** Resets the form to the stored record, except for the fields in `keep`, which keep their typed values. */
  function adopt(stored: Row, keep: Path<Form>[]) {
    const typed = form.getValues();
    form.reset(portal.formOf(stored, email));
    for (const name of keep) form.setValue(name, typed[name], { shouldDirty: true });
    client.setQueryData(portal.ownKey(userId), stored);
  }

  const uploads = useRef<AbortController>(undefined);
  const { mutateAsync, isPending } = useMutation({
    mutationFn: ({ valid, overwrite }: { valid: Form; sent: Form; overwrite: boolean }) => {
      const { slots, photos, sent: onProgress } = portal.pictures.getState();
      const onFailed = uploadFailed;
      uploads.current = new AbortController();
      const { signal } = uploads.current;
      return portal.save({ userId, before: row, form: valid, overwrite, slots, photos, onProgress, onFailed, signal });
    },
    onSuccess: ({ row: stored, kept }: Saved<Row>, { sent }) => {
      const typed = form.getValues();
      // Fields that were edited while the save was in progress.
      const later = fields.filter((name) => hashKey([typed[name]]) !== hashKey([sent[name]]));
      adopt(stored, [...later, ...fields.filter((name) => name === portal.neverSaved)]);
      portal.pictures.getState().settle(portal.picturesOf(stored));
      void client.invalidateQueries({
        predicate: ({ queryKey: [root, part] }) => root === portal.root && part !== 'own',
      });
      toast.success(portal.saved);
      if (kept.length > 0) {
        toast.info('Changes from another tab were kept', { description: named(kept).join(', ') });
      }
      input.onSaved();
    },
    onError: (error) => {
      if (uploads.current?.signal.aborted) {
        toast.info('Upload canceled', { description: 'Nothing was saved. Your changes are still here.' });
        return;
      }
      if (error instanceof Clash) return setClash(error);
      // Leads to the sign-in page; the changes are kept as a draft.
      if (isSessionOver(error)) return void signOut();
      const fault = portal.faultOf?.(error);
      if (fault) showFault(fault);
      else toast.error(portal.failed, { description: saveFailure(error) });
    },
    onSettled: () => portal.pictures.setState({ sending: {} }),
  });

  function uploadFailed(kind: string, file: PendingFile, error: unknown) {
    const { slots, fail } = portal.pictures.getState();
    fail(file.id);
    const slot = (Object.keys(slots) as Name[]).find((name) => slots[name].pending?.id === file.id);
    const retry = () => {
      // A failed slot shows its old picture again, so the new one has to be chosen once more.
      if (slot) portal.pictures.getState().choose(slot, pendingFile(file.file, `again.${file.extension}`));
      void latest.current();
    };
    toast.error(`Failed to upload ${kind} image`, {
      id: `upload-${kind}`,
      description: `${uploadFailure(error)}${slot ? ' The old picture is kept.' : ''}`,
      action: { label: 'Retry', onClick: retry },
    });
  }

  function showFault(fault: Fault) {
    // Rendered immediately, because a field in a closed tab can't be focused.
    flushSync(() => {
      form.setError(fault.name as Path<Form>, { message: fault.message });
      input.openTabOf(fault.name);
    });
    document.querySelector<HTMLElement>('form [aria-invalid=true]')?.focus();
    portal.showFault(fault.message);
  }

  /** Shows only the first error: opens its tab and focuses its field. */
  function refuse(errors: FieldErrors<Form>) {
    const first = firstFault(errors, fields);
    if (!first) return;
    form.clearErrors(fields.filter((name) => errors[name]));
    showFault(first);
  }

  // A second click in the same tick finds the button still enabled.
  const busy = useRef(false);
  /** Resolves to whether everything was stored. A failed save has already shown its error. */
  async function submit(overwrite = false): Promise<boolean> {
    if (busy.current) return false;
    busy.current = true;
    let stored = false;
    const store = async (valid: Form) => {
      const sent = structuredClone(form.getValues());
      stored = await mutateAsync({ valid, sent, overwrite }).then(
        () => !portal.pictures.getState().changed,
        () => false,
      );
    };
    await form.handleSubmit(store, refuse)();
    busy.current = false;
    return stored;
  }
  const latest = useRef(submit);
  latest.current = submit;

  const named = (columns: string[]) => [
    ...new Set(columns.map((column) => portal.pictureNames[column] ?? portal.names[portal.fieldOf(column)] ?? column)),
  ];

  /** Takes the stored values of the conflicting fields, and keeps the other typed values. */
  function takeTheirs({ columns, row: theirs }: Clash<Row>) {
    const taken = columns.map(portal.fieldOf);
    const dirty: Record<string, unknown> = dirtyFields;
    adopt(
      theirs,
      fields.filter((name) => isDirty(dirty[name]) && !taken.includes(name)),
    );
    if (columns.some((column) => column in portal.pictureNames)) pictures.load(portal.picturesOf(theirs));
    else pictures.settle(portal.picturesOf(theirs));
    toast.info('Updated from the other tab', { description: named(columns).join(', ') });
  }

  /** The server deletes the files of photos that the other tab removed, so they can't be kept. */
  function dropDeleted(theirs: Row) {
    const { photos: left } = portal.picturesOf(theirs);
    const deleted = portal.picturesOf(row).photos.filter((url) => !left.includes(url));
    for (const url of deleted) {
      const { photos, removePhoto } = portal.pictures.getState();
      const index = photos.findIndex((photo) => !isUnsaved(photo) && photo.stored === url);
      if (index >= 0) removePhoto(index);
    }
  }

  return {
    form,
    values,
    changed,
    /** Forgets the unsaved changes, and frees the chosen pictures. */
    discard: () => {
      discard();
      portal.pictures.getState().load(portal.picturesOf(row));
    },
    submit,
    isSaving: isPending,
    /** Stops the uploads of the save in progress; nothing is saved. */
    cancelUpload: () => uploads.current?.abort(),
    /** Set while the user is asked which version to keep. */
    clash: clash && {
      fields: named(clash.columns),
      onCancel: () => setClash(undefined),
      onMine: () => {
        setClash(undefined);
        dropDeleted(clash.row);
        void submit(true);
      },
      onTheirs: () => {
        setClash(undefined);
        takeTheirs(clash);
      },
    },
  };
}

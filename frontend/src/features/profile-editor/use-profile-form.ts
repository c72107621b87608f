// The influencer's form: validation, saving, conflicts with another tab, and failed uploads.
import { zodResolver } from '@hookform/resolvers/zod';
import { hashKey, useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { type FieldErrors, type Path, useForm, useWatch } from 'react-hook-form';
import { changedFields, isDirty } from '@/features/editing/changes';
import { firstFault } from '@/features/editing/faults';
import { useKeptDraft } from '@/features/editing/use-kept-draft';
import { type PendingFile, pendingFile } from '@/features/pictures/pending';
import { constraintOf } from '@/lib/errors';
import { toast } from '@/lib/toast';
import { FIELD_NAMES, fieldOf } from './fields';
import { Clash, type Saved, saveProfile } from './mutations';
import { usePictures } from './pictures';
import { ownProfileQuery } from './queries';
import { formOf, type InfluencerRow, storedPictures } from './record';
import { type ProfileForm, profile, type Tab, tabOf } from './schema';

const NAMES = Object.keys(profile.shape) as (keyof ProfileForm)[];
const TAKEN = 'This username is already taken';

const named = (columns: string[]) => [...new Set(columns.map((column) => FIELD_NAMES[fieldOf(column)] ?? 'Pictures'))];

export function useProfileForm(input: {
  userId: string;
  row: InfluencerRow | null;
  openTab: (tab: Tab) => void;
  onSaved: () => void;
}) {
  const { userId, row, openTab } = input;
  const client = useQueryClient();
  const pictures = usePictures();
  const [clash, setClash] = useState<Clash>();
  const form = useForm<ProfileForm>({
    resolver: zodResolver(profile),
    defaultValues: formOf(row),
    shouldFocusError: false,
  });
  const values = useWatch({ control: form.control }) as ProfileForm;
  const { dirtyFields } = form.formState;
  const changed = changedFields(FIELD_NAMES, dirtyFields, pictures.changed);
  const { picturesKept, discard } = useKeptDraft({
    kind: 'influencer',
    userId,
    form,
    pictures: usePictures,
    unsaved: changed.length > 0,
  });

  const firstRow = useRef(row);
  useEffect(() => {
    // Pictures that were chosen in this tab before the session ended are still in the store.
    if (!picturesKept) usePictures.getState().load(storedPictures(firstRow.current));
  }, [picturesKept]);

  /** Resets the form to the stored record, except for the fields in `keep`, which keep their typed values. */
  function adopt(stored: InfluencerRow, keep: (keyof ProfileForm)[]) {
    const typed = form.getValues();
    form.reset(formOf(stored));
    for (const name of keep) form.setValue(name, typed[name], { shouldDirty: true });
    client.setQueryData(ownProfileQuery(userId).queryKey, stored);
  }

  const { mutateAsync, isPending } = useMutation({
    // Fails at once when offline, instead of waiting silently.
    networkMode: 'always',
    mutationFn: ({ valid, overwrite }: { valid: ProfileForm; sent: ProfileForm; overwrite: boolean }) => {
      const { slots, photos, sent } = usePictures.getState();
      return saveProfile({
        userId,
        before: row,
        form: valid,
        overwrite,
        slots,
        photos,
        onProgress: sent,
        onFailed: uploadFailed,
      });
    },
    onSuccess: ({ row: stored, kept }: Saved, { sent }) => {
      const typed = form.getValues();
      // Fields that were edited while the save was in progress, and the service draft, which is never saved.
      const later = NAMES.filter((name) => hashKey([typed[name]]) !== hashKey([sent[name]]));
      adopt(stored, [...later, 'service_draft']);
      pictures.settle(storedPictures(stored));
      toast.success('Profile saved successfully!');
      if (kept.length > 0) {
        toast.info('Changes from another tab were kept', { description: named(kept).join(', ') });
      }
      input.onSaved();
    },
    onError: (error) => {
      if (error instanceof Clash) return setClash(error);
      if (constraintOf(error) === 'influencers_username_key') {
        refuse({ username: { type: 'taken', message: TAKEN } });
        form.setError('username', { message: TAKEN });
        return;
      }
      toast.error('Failed to save profile', { description: error.message });
    },
    onSettled: () => usePictures.setState({ sending: {} }),
  });

  function uploadFailed(kind: string, file: PendingFile) {
    usePictures.getState().fail(file.id);
    const slot = kind === 'cover' || kind === 'profile' ? kind : undefined;
    const retry = () => {
      if (slot) usePictures.getState().choose(slot, pendingFile(file.file, `again.${file.extension}`));
      void latest.current();
    };
    toast.error(`Failed to upload ${kind} image`, {
      id: `upload-${kind}`,
      description: slot ? 'The old picture is kept.' : undefined,
      action: { label: 'Retry', onClick: retry },
    });
  }

  /** Shows only the first error: opens its tab and focuses its field. */
  function refuse(errors: FieldErrors<ProfileForm>) {
    const first = firstFault(errors, NAMES);
    if (!first) return;
    // Rendered immediately, because a field in a closed tab can't be focused.
    flushSync(() => {
      for (const name of NAMES) if (errors[name]) form.clearErrors(name);
      form.setError(first.name as Path<ProfileForm>, { message: first.message });
      openTab(tabOf(first.name));
    });
    document.querySelector<HTMLElement>('form [aria-invalid=true]')?.focus();
    toast.error(first.message);
  }

  const busy = useRef(false);
  /** Resolves to whether everything was stored. A failed save has already shown its error. */
  async function submit(overwrite = false): Promise<boolean> {
    if (busy.current) return false;
    busy.current = true;
    let stored = false;
    const store = async (valid: ProfileForm) => {
      const sent = structuredClone(form.getValues());
      stored = await mutateAsync({ valid, sent, overwrite }).then(
        () => !usePictures.getState().changed,
        () => false,
      );
    };
    await form.handleSubmit(store, refuse)();
    busy.current = false;
    return stored;
  }
  const latest = useRef(submit);
  latest.current = submit;

  /** Takes the stored values of the conflicting fields, and keeps the other typed values. */
  function takeTheirs({ columns, row: stored }: Clash) {
    const fields = columns.map(fieldOf);
    adopt(
      stored,
      NAMES.filter((name) => isDirty(dirtyFields[name]) && !fields.includes(name)),
    );
    if (named(columns).includes('Pictures')) pictures.load(storedPictures(stored));
    else pictures.settle(storedPictures(stored));
    toast.info('Updated from the other tab', { description: named(columns).join(', ') });
  }

  return {
    form,
    values,
    changed,
    discard,
    submit,
    isSaving: isPending,
    clash: clash && {
      fields: named(clash.columns),
      cancel: () => setClash(undefined),
      mine: () => {
        setClash(undefined);
        void submit(true);
      },
      theirs: () => {
        setClash(undefined);
        takeTheirs(clash);
      },
    },
  };
}

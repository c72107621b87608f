// Preserves unsaved input across a reload or the end of a session. Each portal's form has its own kind, the user type,
// which lets the sign-in page say that a draft exists (`lib/draft.ts`).
import { useEffect, useRef, useState } from 'react';
import type { FieldValues, UseFormReturn } from 'react-hook-form';
import { dropPictures, keepPictures, keptPictures } from '@/features/pictures/keep';
import type { PicturesStore } from '@/features/pictures/store';
import { dropDraft, keepDraft, readDraft } from '@/lib/draft';
import { toast } from '@/lib/toast';
import { isDirty } from './changes';

/** Long enough to write once per word, short enough to lose little if the tab crashes. */
const PAUSE = 300;

/**
 * Stores unsaved changes until they are saved: text in the tab's session storage, pictures in IndexedDB. Only changed
 * fields are stored, because the stored record may have newer values for the others.
 */
export function useKeptDraft<Form extends FieldValues, Name extends string>(input: {
  kind: string;
  userId: string;
  form: UseFormReturn<Form>;
  pictures: PicturesStore<Name>;
  unsaved: boolean;
}) {
  const { kind, userId, form, pictures, unsaved } = input;
  const [draft] = useState(() => readDraft<Partial<Form>>(kind, userId));
  const [picturesKept] = useState(() => Boolean(draft?.pictures) && pictures.getState().changed);
  const restoring = useRef(Boolean(draft));
  const wanted = useRef(unsaved);
  const dirty = useRef<object>({});
  dirty.current = form.formState.dirtyFields;
  const [write] = useState(() => () => {
    if (restoring.current) return;
    if (!wanted.current) {
      dropDraft(kind);
      return;
    }
    const changed = Object.entries(form.getValues()).filter(([name]) =>
      isDirty((dirty.current as Record<string, unknown>)[name]),
    );
    keepDraft(kind, userId, { values: Object.fromEntries(changed), pictures: pictures.getState().changed });
  });

  useEffect(() => {
    wanted.current = unsaved;
    write();
  }, [unsaved, write]);

  useEffect(() => {
    let mounted = true;
    async function restore() {
      if (!draft) return;
      form.reset({ ...form.getValues(), ...draft.values }, { keepDefaultValues: true });
      let lost = false;
      if (draft.pictures && !picturesKept) {
        const kept = await keptPictures(kind, userId);
        if (!mounted) return;
        lost = !kept;
        if (kept) pictures.getState().restore(kept);
      }
      restoring.current = false;
      toast.info('Your unsaved changes are back', {
        id: 'kept-draft',
        description: lost ? 'Please choose the new pictures again.' : undefined,
      });
    }
    void restore();
    let pause: ReturnType<typeof setTimeout>;
    const later = () => {
      clearTimeout(pause);
      pause = setTimeout(write, PAUSE);
    };
    const stopForm = form.subscribe({ formState: { values: true }, callback: later });
    const stopPictures = pictures.subscribe((now, before) => {
      if (restoring.current || (now.slots === before.slots && now.photos === before.photos)) return;
      void (now.changed ? keepPictures(kind, userId, now.unsaved()) : dropPictures(kind));
      later();
    });
    window.addEventListener('pagehide', write);
    return () => {
      mounted = false;
      clearTimeout(pause);
      stopForm();
      stopPictures();
      window.removeEventListener('pagehide', write);
      write();
    };
  }, [draft, picturesKept, form, pictures, kind, userId, write]);

  return {
    picturesKept,
    /** Discards the unsaved changes. */
    discard: () => {
      wanted.current = false;
      restoring.current = false;
      write();
      void dropPictures(kind);
    },
  };
}

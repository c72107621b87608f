import { useEffect, useRef, useState } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import { toast } from 'sonner';
import { dropDraft, keepDraft, readDraft } from '@/lib/draft';
import { usePictures } from './pictures';
import type { ProfileForm } from './schema';

const KIND = 'influencer';

/**
 * Keeps what was typed when the form goes while something is not saved: the session ended, here or in another tab.
 * The same person gets it back after signing in again. Chosen pictures outlast this too, as long as the tab does.
 */
export function useKeptDraft(input: { userId: string; form: UseFormReturn<ProfileForm>; unsaved: boolean }) {
  const { userId, form, unsaved } = input;
  const [draft] = useState(() => readDraft<ProfileForm>(KIND, userId));
  const [picturesKept] = useState(() => Boolean(draft?.pictures) && usePictures.getState().changed);
  const wanted = useRef(false);
  useEffect(() => {
    wanted.current = unsaved;
  }, [unsaved]);

  useEffect(() => {
    dropDraft(KIND);
    if (draft) {
      form.reset(draft.values, { keepDefaultValues: true });
      const lost = draft.pictures && !picturesKept;
      toast.info('Your unsaved changes are back', {
        id: 'kept-draft',
        description: lost ? 'Please choose the new pictures again.' : undefined,
      });
    }
    return () => {
      if (!wanted.current) return;
      keepDraft(KIND, userId, { values: form.getValues(), pictures: usePictures.getState().changed });
    };
  }, [draft, picturesKept, form, userId]);

  return {
    picturesKept,
    discard: () => {
      wanted.current = false;
    },
  };
}

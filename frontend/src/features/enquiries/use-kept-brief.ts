// Keeps an unsent brief when the page is reloaded, the session ends or somebody signs in first. For one browser tab.
import { useEffect, useRef } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import { dropDraft, keepDraft, readDraft } from '@/lib/draft';
import { type BriefForm, EMPTY_BRIEF, FIELDS } from './schema';

const KIND = 'enquiry';
/** The draft's owner if nobody is signed in. Who signs in afterwards goes on with it. */
const GUEST = 'guest';

export function keptBrief(userId: string | undefined): BriefForm {
  const kept = (userId ? readDraft<BriefForm>(KIND, userId) : undefined) ?? readDraft<BriefForm>(KIND, GUEST);
  return { ...EMPTY_BRIEF, ...kept?.values };
}

/** Returns a function that discards it. */
export function useKeptBrief(userId: string | undefined, form: UseFormReturn<BriefForm>): () => void {
  const wanted = useRef(true);
  useEffect(() => {
    const keep = () => {
      const values = form.getValues();
      const isTyped = FIELDS.some((name) => values[name]);
      if (wanted.current && isTyped) keepDraft(KIND, userId ?? GUEST, { values, pictures: false });
      else dropDraft(KIND);
    };
    window.addEventListener('pagehide', keep);
    return () => {
      window.removeEventListener('pagehide', keep);
      keep();
    };
  }, [userId, form]);
  return () => {
    wanted.current = false;
    dropDraft(KIND);
  };
}

// Preserves an unsent application across a reload or the end of a session: text only, one gig at a time.
import { useEffect, useRef } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import { dropDraft, keepDraft, readDraft } from '@/lib/draft';
import type { ApplyForm } from './schema';

const KIND = 'application';

interface KeptApplication {
  gigId: string;
  input: ApplyForm;
}

/** What this account left behind for this gig, if anything. */
export function keptApplication(userId: string, gigId: string): ApplyForm | undefined {
  const kept = readDraft<KeptApplication>(KIND, userId)?.values;
  return kept?.gigId === gigId ? kept.input : undefined;
}

/** Stores the input until it is sent. Returns a function that discards it. */
export function useKeptApplication(input: {
  userId: string;
  gigId: string;
  form: UseFormReturn<ApplyForm>;
}): () => void {
  const { userId, gigId, form } = input;
  const wanted = useRef(true);
  useEffect(() => {
    const keep = () => {
      const values = form.getValues();
      if (!wanted.current) return;
      if (values.pitch.trim() || values.quote.trim())
        keepDraft(KIND, userId, { values: { gigId, input: values }, pictures: false });
      else if (keptApplication(userId, gigId)) dropDraft(KIND);
    };
    window.addEventListener('pagehide', keep);
    return () => {
      window.removeEventListener('pagehide', keep);
      keep();
    };
  }, [userId, gigId, form]);
  return () => {
    wanted.current = false;
    dropDraft(KIND);
  };
}

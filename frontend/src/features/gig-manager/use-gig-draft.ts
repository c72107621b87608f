// Preserves an unsaved gig when the session ends or the page is reloaded.
import { useEffect, useRef } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import { dropDraft, keepDraft, readDraft } from '@/lib/draft';
import type { OwnGig } from './queries';
import { EMPTY_GIG, FIELDS, type GigForm, inputOf } from './schema';

const KIND = 'gig';

/** The dialog's initial state. */
export interface GigDraft {
  gigId: string;
  /** Whether it was not saved before. */
  isNew: boolean;
  saved: GigForm;
  /** Unsaved input from before. */
  typed?: GigForm;
}

export const newGig = (): GigDraft => ({ gigId: crypto.randomUUID(), isNew: true, saved: EMPTY_GIG });

export const draftOf = (gig: OwnGig): GigDraft => ({
  gigId: gig.id,
  isNew: false,
  saved: {
    title: gig.title,
    description: gig.description,
    budget: gig.budget ?? '',
    duration: gig.duration ?? '',
    requirements: gig.requirements ?? '',
    closes_on: gig.closes_on ?? undefined,
    places: gig.places ? String(gig.places) : undefined,
  },
});

/** The draft this account left behind, if any. */
export const keptGig = (userId: string): GigDraft | undefined => readDraft<GigDraft>(KIND, userId)?.values;

/** Stores the input until it is saved or discarded. Returns a function that discards it. */
export function useKeptGig(input: { userId: string; draft: GigDraft; form: UseFormReturn<GigForm> }): () => void {
  const { userId, draft, form } = input;
  const wanted = useRef(true);
  useEffect(() => {
    const { typed } = draft;
    const saved = inputOf(draft.saved);
    if (typed) for (const name of FIELDS) form.setValue(name, inputOf(typed)[name], { shouldDirty: true });
    const keep = () => {
      const values = form.getValues();
      const isTyped = FIELDS.some((name) => inputOf(values)[name] !== saved[name]);
      if (wanted.current && isTyped) keepDraft(KIND, userId, { values: { ...draft, typed: values }, pictures: false });
      else dropDraft(KIND);
    };
    window.addEventListener('pagehide', keep);
    return () => {
      window.removeEventListener('pagehide', keep);
      keep();
    };
  }, [userId, draft, form]);
  return () => {
    wanted.current = false;
    dropDraft(KIND);
  };
}

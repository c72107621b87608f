// Preserves an unsaved gig when the session ends or the page is reloaded.
import { useEffect } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import { useKeptInput } from '@/hooks/use-kept-input';
import { readDraft } from '@/lib/draft';
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
  useEffect(() => {
    const { typed } = draft;
    if (typed) for (const name of FIELDS) form.setValue(name, inputOf(typed)[name], { shouldDirty: true });
  }, [draft, form]);
  return useKeptInput(KIND, userId, () => {
    const typed = form.getValues();
    const isTyped = FIELDS.some((name) => inputOf(typed)[name] !== inputOf(draft.saved)[name]);
    return isTyped ? { ...draft, typed } : undefined;
  });
}

// Keeps the text of a form in this tab, so that it survives a reload, an expired session and a lost connection.
import { useEffect, useRef } from 'react';
import type { FieldValues, UseFormReturn } from 'react-hook-form';
import { dropDraft, keepDraft } from '@/lib/draft';

/** `read` returns what to keep, or undefined if nothing was typed. Returns a function that discards the draft. */
export function useKeptInput<Values>(kind: string, userId: string, read: () => Values | undefined): () => void {
  const wanted = useRef(true);
  const latest = useRef(read);
  useEffect(() => {
    latest.current = read;
  });
  useEffect(() => {
    const keep = () => {
      const values = wanted.current ? latest.current() : undefined;
      if (values === undefined) dropDraft(kind);
      else keepDraft(kind, userId, { values, pictures: false });
    };
    window.addEventListener('pagehide', keep);
    return () => {
      window.removeEventListener('pagehide', keep);
      keep();
    };
  }, [kind, userId]);
  return () => {
    wanted.current = false;
    dropDraft(kind);
  };
}

/** The same for a form. `empty` has the values of all of its fields before anything was typed. */
export function useKeptForm<Form extends FieldValues>(
  kind: string,
  userId: string,
  form: UseFormReturn<Form>,
  empty: Form,
): () => void {
  return useKeptInput(kind, userId, () => {
    const values = form.getValues();
    return Object.keys(empty).some((name) => values[name] !== empty[name]) ? values : undefined;
  });
}

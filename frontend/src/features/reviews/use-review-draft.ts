// Preserves an unsent review across a reload, an expired session or a lost connection.
import { useEffect, useRef } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import { dropDraft, keepDraft, readDraft } from '@/lib/draft';
import { FIELDS, type ReviewForm } from './schema';

const kindOf = (collaboration: string) => `review-${collaboration}`;

/** The draft of this author, if any. Guests share one name, because the link identifies them. */
export const keptReview = (collaboration: string, author: string): ReviewForm | undefined =>
  readDraft<ReviewForm>(kindOf(collaboration), author)?.values;

/** Stores the input until it is sent. Returns a function that discards it. */
export function useKeptReview(collaboration: string, author: string, form: UseFormReturn<ReviewForm>): () => void {
  const wanted = useRef(true);
  useEffect(() => {
    const keep = () => {
      const values = form.getValues();
      if (wanted.current && FIELDS.some((name) => values[name] !== '')) {
        keepDraft(kindOf(collaboration), author, { values, pictures: false });
      } else dropDraft(kindOf(collaboration));
    };
    window.addEventListener('pagehide', keep);
    return () => {
      window.removeEventListener('pagehide', keep);
      keep();
    };
  }, [collaboration, author, form]);
  return () => {
    wanted.current = false;
    dropDraft(kindOf(collaboration));
  };
}

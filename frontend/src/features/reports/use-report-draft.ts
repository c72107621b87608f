// Preserves a typed report through a reload or the end of the session.
import { useEffect, useRef } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import { dropDraft, keepDraft, readDraft } from '@/lib/draft';
import { EMPTY_REPORT, FIELDS, type ReportForm } from './schema';

/** Returns a function that discards the draft. */
export function useReportDraft(input: { draft: string; userId: string; form: UseFormReturn<ReportForm> }): () => void {
  const { draft, userId, form } = input;
  const wanted = useRef(true);
  useEffect(() => {
    const typed = readDraft<ReportForm>(draft, userId)?.values;
    if (typed) for (const name of FIELDS) form.setValue(name, typed[name], { shouldDirty: true });
    const keep = () => {
      const values = form.getValues();
      const isTyped = FIELDS.some((name) => values[name] !== EMPTY_REPORT[name]);
      if (wanted.current && isTyped) keepDraft(draft, userId, { values, pictures: false });
      else dropDraft(draft);
    };
    window.addEventListener('pagehide', keep);
    return () => {
      window.removeEventListener('pagehide', keep);
      keep();
    };
  }, [draft, userId, form]);
  return () => {
    wanted.current = false;
    dropDraft(draft);
  };
}

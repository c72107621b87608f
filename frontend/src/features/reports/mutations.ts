import { rest } from '@/lib/supabase';
import type { ReportKind } from './kinds';
import type { ReportForm } from './schema';

/** This account has an open report about the same subject, perhaps because the response to this one was lost. */
export class AlreadyReported extends Error {}

/** The subject was removed, or is not visible to this account. */
export class NothingToReport extends Error {}

export async function sendReport(kind: ReportKind, id: string, form: ReportForm): Promise<void> {
  const { error } = await rest()
    .from('reports')
    .insert({ kind, subject_id: id, reason: form.reason, text: form.text || null });
  if (error?.code === '23505') throw new AlreadyReported(error.message);
  if (error?.code === 'PT404') throw new NothingToReport(error.message);
  if (error) throw error;
}

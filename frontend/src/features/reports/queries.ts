import { queryOptions } from '@tanstack/react-query';
import { rest } from '@/lib/supabase';
import type { ReportKind } from './kinds';

/** The views that show a subject's name. The others have no name that a form could show. */
const NAMED = {
  influencer: ['influencers', 'name'],
  agency: ['agencies', 'name'],
  vendor: ['vendors', 'name'],
  gig: ['gigs', 'title'],
} as const;

interface Reportable {
  /** Undefined if this kind has no name; null if the subject was deleted or is hidden. */
  name: string | null | undefined;
  /** When the account reported it; an admin has not decided yet. */
  reportedAt: string | undefined;
}

export const reportableKey = (userId: string, kind: ReportKind, id: string) =>
  ['reports', 'own', userId, kind, id] as const;

/** The subject as the form shows it, and whether this account has an open report about it. */
export const reportableQuery = (userId: string, kind: ReportKind, id: string) =>
  queryOptions({
    queryKey: reportableKey(userId, kind, id),
    queryFn: async ({ signal }): Promise<Reportable> => {
      const [name, reportedAt] = await Promise.all([nameOf(kind, id, signal), openReport(userId, kind, id, signal)]);
      return { name, reportedAt };
    },
  });

async function nameOf(kind: ReportKind, id: string, signal: AbortSignal): Promise<string | null | undefined> {
  if (!(kind in NAMED)) return undefined;
  const [view, column] = NAMED[kind as keyof typeof NAMED];
  const { data, error } = await rest()
    .from(view as 'influencers')
    .select(`name:${column}` as 'name')
    .eq('id', id)
    .abortSignal(signal)
    .maybeSingle();
  if (error) throw error;
  return data?.name ?? null;
}

async function openReport(userId: string, kind: ReportKind, id: string, signal: AbortSignal) {
  const { data, error } = await rest()
    .from('reports')
    .select('created_at')
    // Admins can read everyone's.
    .eq('reporter_id', userId)
    .eq('kind', kind)
    .eq('subject_id', id)
    .in('state', ['open', 'taken'])
    .limit(1)
    .abortSignal(signal)
    .maybeSingle();
  if (error) throw error;
  return data?.created_at ?? undefined;
}

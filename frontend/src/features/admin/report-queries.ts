import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { ReportKind } from '@/features/reports/kinds';
import { type Cursor, cursorAfter, pageAfter } from '@/lib/pages';
import { rest } from '@/lib/supabase';
import { emailsOf } from './queries';
import { isWaiting, type ReportFilters, type ReportState } from './reports';

const PAGE_SIZE = 50;

export interface ListedReport {
  id: string;
  kind: ReportKind;
  subject_id: string;
  title: string | null;
  reason: string;
  words: string[] | null;
  state: ReportState;
  created_at: string;
  reporter_id: string | null;
  report_decisions: { taker: string | null; decider: string | null } | null;
}

export interface Decision {
  owner_id: string | null;
  taken_by: string | null;
  taker: string | null;
  taken_at: string | null;
  decider: string | null;
  note: string | null;
  actions: string[];
}

export type Snapshot = Record<string, unknown>;

export interface Report extends Omit<ListedReport, 'report_decisions'> {
  text: string | null;
  snapshot: Snapshot;
  decided_at: string | null;
  report_decisions: Decision | null;
}

export interface ReportDetails {
  report: Report;
  /** The subject as it is now; null if it was deleted. */
  now: Snapshot | null;
  others: { id: string; state: ReportState; reason: string; created_at: string }[];
  reporter: string | undefined;
  owner: string | undefined;
  /** The id of the owner's block. */
  block: string | undefined;
}

export const REPORTS_KEY = ['admin', 'reports'] as const;
const LIST_COLUMNS =
  'id,kind,subject_id,title,reason,words,state,created_at,reporter_id,report_decisions(taker,decider)';

/** Waiting reports oldest first, decided ones newest first. */
export const reportsQuery = (filters: ReportFilters) =>
  infiniteQueryOptions({
    queryKey: [...REPORTS_KEY, 'list', filters],
    initialPageParam: null as Cursor | null,
    placeholderData: keepPreviousData,
    queryFn: async ({ pageParam, signal }): Promise<ListedReport[]> => {
      const inState = rest().from('reports').select(LIST_COLUMNS).eq('state', filters.state);
      const chosen = filters.kind ? inState.eq('kind', filters.kind) : inState;
      const order = { size: PAGE_SIZE, ascending: isWaiting(filters.state) };
      const { data, error } = await pageAfter(chosen, pageParam, order)
        .abortSignal(signal)
        .overrideTypes<ListedReport[], { merge: false }>();
      if (error) throw error;
      return data;
    },
    getNextPageParam: (last) => cursorAfter(last, PAGE_SIZE),
  });

/** Null if the caller is not (or no longer) an admin. */
export const reportCountsQuery = queryOptions({
  queryKey: [...REPORTS_KEY, 'counts'],
  queryFn: async ({ signal }): Promise<{ open: number; taken: number } | null> => {
    const { data, error } = await rest().from('report_counts').select('open,taken').abortSignal(signal);
    if (error) throw error;
    const row = data[0];
    return row ? { open: row.open ?? 0, taken: row.taken ?? 0 } : null;
  },
});

/** One report with everything that a decision needs. Null if it doesn't exist. */
export const reportQuery = (id: string) =>
  queryOptions({
    queryKey: [...REPORTS_KEY, 'one', id],
    queryFn: async ({ signal }): Promise<ReportDetails | null> => {
      const { data: report, error } = await rest()
        .from('reports')
        .select('*,report_decisions(owner_id,taken_by,taker,taken_at,decider,note,actions)')
        .eq('id', id)
        .abortSignal(signal)
        .maybeSingle()
        .overrideTypes<Report, { merge: false }>();
      // A malformed id can't belong to any report.
      if (error?.code === '22P02') return null;
      if (error) throw error;
      if (!report) return null;
      const owner = report.report_decisions?.owner_id ?? undefined;
      const people = [report.reporter_id, owner].filter((person) => typeof person === 'string');
      const [now, others, emails, block] = await Promise.all([
        subjectNow(id, signal),
        othersAbout(report, signal),
        emailsOf(people, signal),
        owner ? blockOf(owner, signal) : undefined,
      ]);
      return {
        report,
        now,
        others,
        reporter: emails.get(report.reporter_id ?? ''),
        owner: emails.get(owner ?? ''),
        block,
      };
    },
  });

async function subjectNow(id: string, signal: AbortSignal): Promise<Snapshot | null> {
  const { data, error } = await rest().rpc('reported_now', { report_id: id }).abortSignal(signal);
  if (error) throw error;
  return data as Snapshot | null;
}

const MOST_OTHERS = 20;

async function othersAbout(report: Report, signal: AbortSignal): Promise<ReportDetails['others']> {
  const { data, error } = await rest()
    .from('reports')
    .select('id,state,reason,created_at')
    .eq('subject_id', report.subject_id)
    .eq('kind', report.kind)
    .neq('id', report.id)
    .order('created_at', { ascending: false })
    .order('id', { ascending: false })
    .limit(MOST_OTHERS)
    .abortSignal(signal)
    .overrideTypes<ReportDetails['others'], { merge: false }>();
  if (error) throw error;
  return data;
}

async function blockOf(owner: string, signal: AbortSignal): Promise<string | undefined> {
  const { data, error } = await rest().from('blocked_senders').select('id').eq('user_id', owner).abortSignal(signal);
  if (error) throw error;
  return data[0]?.id ?? undefined;
}

export interface BlockedSender {
  id: string;
  user_id: string | null;
  name: string;
  reason: string;
  blocker: string;
  created_at: string;
}

/** Newest first. */
export const blockedQuery = infiniteQueryOptions({
  queryKey: [...REPORTS_KEY, 'blocked'],
  initialPageParam: null as Cursor | null,
  queryFn: async ({ pageParam, signal }): Promise<BlockedSender[]> => {
    const all = rest().from('blocked_senders').select('id,user_id,name,reason,blocker,created_at');
    const { data, error } = await pageAfter(all, pageParam, { size: PAGE_SIZE })
      .abortSignal(signal)
      .overrideTypes<BlockedSender[], { merge: false }>();
    if (error) throw error;
    return data;
  },
  getNextPageParam: (last) => cursorAfter(last, PAGE_SIZE),
});

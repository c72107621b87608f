// Reports as the admins see them: filters in the URL, actions, and the fields of a snapshot.
import { isReportKind, type ReportKind } from '@/features/reports/kinds';
import type { AddressForm } from '@/lib/address';

export const STATES = ['open', 'taken', 'upheld', 'dismissed'] as const;
export type ReportState = (typeof STATES)[number];

export const isWaiting = (state: ReportState): boolean => state === 'open' || state === 'taken';

export interface ReportFilters {
  state: ReportState;
  /** An empty string means every kind. */
  kind: ReportKind | '';
}

export const NO_REPORT_FILTERS: ReportFilters = { state: 'open', kind: '' };

export const REPORT_ADDRESS: AddressForm<ReportFilters> = {
  none: NO_REPORT_FILTERS,
  read: (params) => {
    const kind = params.get('kind') ?? undefined;
    return {
      state: STATES.find((state) => state === params.get('state')) ?? 'open',
      kind: isReportKind(kind) ? kind : '',
    };
  },
  write: (filters, now) => {
    const params = new URLSearchParams(now);
    for (const key of ['state', 'kind'] as const) {
      if (filters[key] === NO_REPORT_FILTERS[key]) params.delete(key);
      else params.set(key, filters[key]);
    }
    return params;
  },
  gradual: [],
};

/** What an admin can do when a report is upheld. */
export interface ActionChoice {
  name: string;
  label: string;
  text: string;
}

const ACTIONS: Partial<Record<ReportKind, ActionChoice>> = {
  gig: { name: 'close_gig', label: 'Close the gig', text: 'Only its agency and admins will see it.' },
  enquiry: { name: 'cancel_enquiry', label: 'Cancel the enquiry', text: 'It can no longer be answered.' },
  review: {
    name: 'hide_review',
    label: 'Hide the review',
    text: 'It won’t appear on the profile or count in the rating.',
  },
};

const BLOCK: ActionChoice = {
  name: 'block_sender',
  label: 'Block the account',
  text: 'It can’t send enquiries or applications. You can unblock it here later.',
};

export const actionsFor = (kind: ReportKind): ActionChoice[] => [...(ACTIONS[kind] ? [ACTIONS[kind]] : []), BLOCK];

export const actionLabel = (name: string): string =>
  [...Object.values(ACTIONS), BLOCK].find((action) => action.name === name)?.label ?? name;

export interface SnapshotField {
  name: string;
  label: string;
  before: string;
  now: string;
}

const labelOf = (name: string): string => {
  const words = name.replaceAll('_', ' ');
  return words === 'title' ? 'Name or title' : words.charAt(0).toUpperCase() + words.slice(1);
};

/** A value as text: services and posts one per line. */
export function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.map(textOf).filter(Boolean).join('\n');
  if (typeof value === 'object') return Object.values(value).map(textOf).filter(Boolean).join(' · ');
  return String(value);
}

/** The fields of a snapshot beside those of the current subject, without those that are empty in both. */
export function comparedFields(then: object, now: object | null): SnapshotField[] {
  const names = new Set([...Object.keys(then), ...Object.keys(now ?? {})]);
  names.delete('title');
  return ['title', ...names]
    .map((name) => ({
      name,
      label: labelOf(name),
      before: textOf((then as Record<string, unknown>)[name]),
      now: textOf((now as Record<string, unknown> | null)?.[name]),
    }))
    .filter((field) => field.before || field.now);
}

const MINUTE = 60_000;

/** How long ago, for a queue: '5 min', '3 h', '12 days'. */
export function ageOf(iso: string, now: number): string {
  const minutes = Math.max(0, Math.floor((now - Date.parse(iso)) / MINUTE));
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return `${hours} h`;
  return `${Math.floor(hours / 24)} days`;
}

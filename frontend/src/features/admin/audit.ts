// The audit log's entries as text, and its filters.
import { type AddressForm, textFrom } from '@/lib/address';
import { containsAny } from '@/lib/text-match';
import type { Kind } from './lists';

export interface AuditEntry {
  id: number;
  created_at: string;
  actor_id: string | null;
  actor: string;
  action: string;
  subject_type: string;
  subject_id: string;
  subject: string | null;
  details: Record<string, unknown>;
}

/** The log stores an account's e-mail address, or the database role of a change that no account made. */
export const actorName = (actor: string): string => (actor.includes('@') ? actor : 'System');

/** The content of an `or=(…)` that finds entries by the names that the log shows; 'System' from its third letter. */
export function namedAs(text: string): string {
  const named = containsAny(['subject', 'actor'], text);
  const meansSystem = text.length > 2 && 'system'.startsWith(text.toLowerCase());
  return meansSystem ? `${named},actor.not.like."%@%"` : named;
}

/** The filter's options: each covers one or two of the log's actions. */
export const ACTIONS = {
  approve: { label: 'Approvals', actions: ['approve', 'unapprove'] },
  badge: { label: 'Badges', actions: ['set_badge'] },
  access: { label: 'Page access', actions: ['set_access'] },
  subscription: { label: 'Subscriptions', actions: ['set_subscription'] },
  delete: { label: 'Deletions', actions: ['delete_profile'] },
  role: { label: 'Admin roles', actions: ['grant_role', 'revoke_role', 'reset_factor'] },
  backup: { label: 'Backups', actions: ['request_backup'] },
  report: { label: 'Reports', actions: ['take_report', 'uphold_report', 'dismiss_report'] },
  measure: {
    label: 'Moderation',
    actions: ['hide_review', 'close_gig', 'cancel_enquiry', 'block_sender', 'unblock_sender'],
  },
} as const;
export type ActionChoice = keyof typeof ACTIONS;

export interface AuditFilters {
  q: string;
  action: string;
  /** An account's id. */
  actor: string;
  /** Days as YYYY-MM-DD, both inclusive. */
  from: string;
  to: string;
}

export const NO_AUDIT_FILTERS: AuditFilters = { q: '', action: '', actor: '', from: '', to: '' };

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const dayFrom = (text: string | null): string =>
  text && /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text)) ? text : '';

export const AUDIT_ADDRESS: AddressForm<AuditFilters> = {
  none: NO_AUDIT_FILTERS,
  read: (params) => {
    const action = params.get('action') ?? '';
    const actor = params.get('actor') ?? '';
    return {
      q: textFrom(params.get('q')),
      action: Object.hasOwn(ACTIONS, action) ? action : '',
      actor: UUID.test(actor) ? actor : '',
      from: dayFrom(params.get('from')),
      to: dayFrom(params.get('to')),
    };
  },
  write: (filters, now) => {
    const params = new URLSearchParams(now);
    for (const [key, value] of Object.entries(filters)) {
      if (value) params.set(key, value);
      else params.delete(key);
    }
    return params;
  },
  gradual: ['q'],
};

/** The first moment of a day, and of the day after it, in the reader's time zone. */
export const startOf = (day: string): string => new Date(`${day}T00:00:00`).toISOString();
export function endOf(day: string): string {
  const date = new Date(`${day}T00:00:00`);
  date.setDate(date.getDate() + 1);
  return date.toISOString();
}

export const KINDS: readonly string[] = ['influencer', 'agency', 'vendor'] satisfies Kind[];

type Change = { from: unknown; to: unknown };

const isChange = (value: unknown): value is Change =>
  typeof value === 'object' && value !== null && 'from' in value && 'to' in value;

const PAGES: Record<string, string> = {
  access_influencer_page: 'influencer page',
  access_agencies_page: 'agencies page',
  access_events_page: 'events page',
  access_gigs_page: 'gigs page',
};

const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' });
const dayText = (value: unknown): string => (typeof value === 'string' ? DAY.format(new Date(value)) : 'open');

const ROLES: Record<string, string> = { admin: 'admin', superadmin: 'super admin' };

/** For example 'Badge none to gold' or 'Closed gigs page'. */
export function sentenceOf(entry: Pick<AuditEntry, 'action' | 'subject_type' | 'details'>): string {
  const { action, subject_type: kind, details } = entry;
  const role = ROLES[String(details.role)] ?? 'admin';
  switch (action) {
    case 'approve':
      return `Approved ${kind}`;
    case 'unapprove':
      return `Revoked approval of ${kind}`;
    case 'delete_profile':
      return `Deleted ${kind}`;
    case 'grant_role':
      return `Created ${role}`;
    case 'revoke_role':
      return `Removed ${role}`;
    case 'reset_factor':
      return 'Reset second factor';
    case 'request_backup':
      return 'Requested backup';
    case 'set_badge': {
      const change = details.badge_type;
      return isChange(change) ? `Badge ${change.from} to ${change.to}` : 'Badge changed';
    }
    case 'set_access':
      return accessSentence(details);
    case 'set_subscription':
      return subscriptionSentence(details);
    default:
      return reportSentence(action, kind, details.note) ?? action;
  }
}

/** What an admin did about a report, and why. */
function reportSentence(action: string, kind: string, note: unknown): string | undefined {
  const what: Record<string, string> = {
    take_report: `Took report about ${kind}`,
    uphold_report: `Upheld report about ${kind}`,
    dismiss_report: `Dismissed report about ${kind}`,
    hide_review: 'Hid review',
    close_gig: 'Closed gig',
    cancel_enquiry: 'Cancelled enquiry',
    block_sender: `Blocked ${kind}`,
    unblock_sender: `Unblocked ${kind}`,
  };
  const sentence = what[action];
  return sentence && typeof note === 'string' && note ? `${sentence}: ${note}` : sentence;
}

function accessSentence(details: Record<string, unknown>): string {
  const named = (open: boolean) =>
    Object.entries(details).flatMap(([field, change]) =>
      isChange(change) && change.to === open ? [PAGES[field] ?? field] : [],
    );
  const parts = [
    ['Opened', named(true)],
    ['Closed', named(false)],
  ] as const;
  return parts.flatMap(([word, pages]) => (pages.length > 0 ? [`${word} ${pages.join(', ')}`] : [])).join('; ');
}

function subscriptionSentence(details: Record<string, unknown>): string {
  const parts = [
    ['Starts', details.subscription_start_date],
    ['Ends', details.subscription_end_date],
  ] as const;
  return parts
    .flatMap(([word, change]) =>
      isChange(change) ? [`${word} ${dayText(change.to)}, was ${dayText(change.from)}`] : [],
    )
    .join('; ');
}

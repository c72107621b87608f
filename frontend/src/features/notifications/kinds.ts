// The sentences of notifications, and the kinds that can be mailed.
import type { Json } from '@/lib/database.types';
import { FORMER_MEMBER } from '@/lib/former-member';
import type { Role } from '@/lib/session';

export interface Notification {
  id: string;
  kind: string;
  data: Json;
  created_at: string;
  seen_at: string | null;
}

/** Names and titles in a notification's data. Each may be missing: accounts are deleted, and kinds differ. */
interface Details {
  name: string;
  title: string;
  state: string | undefined;
  /** The number of gigs that it is about. */
  gigs: number;
}

const LINES: Record<string, (details: Details) => string> = {
  approved: () => 'Your profile is approved. Brands can find you now.',
  enquiry_received: ({ name }) => `${name} sent you an enquiry.`,
  enquiry_reminder: ({ name }) => `${name} is waiting for your answer.`,
  enquiry_answered: ({ name, state }) => `${name} ${state === 'accepted' ? 'accepted' : 'declined'} your enquiry.`,
  enquiry_withdrawn: ({ name, state }) =>
    state === 'cancelled' ? `We cancelled an enquiry from ${name}.` : `${name} withdrew an enquiry.`,
  enquiry_expired: ({ name }) => `Your enquiry to ${name} expired.`,
  application_received: ({ title, gigs }) => `There are new applicants for ${gigs > 1 ? 'your gigs' : title}.`,
  application_decided: ({ title, state }) =>
    `Your application for ${title} ${DECISIONS[state ?? ''] ?? 'was decided'}.`,
  application_withdrawn: ({ name, title }) => `${name} withdrew the application for ${title}.`,
  gig_closing: ({ title }) => `${title} closes in 48 hours.`,
  gig_closed: ({ title, state }) => `${title} ${ENDS[state ?? ''] ?? 'is closed'}.`,
  collaboration_completed: ({ name }) => `${name} says that your work is completed.`,
  collaboration_cancelled: ({ name }) => `Your work with ${name} was cancelled.`,
  review_invited: ({ name }) => `How was working with ${name}? Write a review.`,
  review_published: ({ name }) => `${name} reviewed you.`,
  review_replied: ({ name }) => `${name} replied to your review.`,
  report_decided: ({ title, state }) =>
    `We reviewed your report about ${title} and ${state === 'upheld' ? 'upheld it' : 'found nothing against our rules'}.`,
  content_moderated: ({ title }) => `We upheld a report about ${title}.`,
};

const DECISIONS: Record<string, string> = {
  shortlisted: 'is on the shortlist',
  accepted: 'was accepted',
  declined: 'was declined',
  cancelled: 'was cancelled',
};

const ENDS: Record<string, string> = { full: 'is full', removed: 'was removed' };

const memberOf = (data: Json, key: string): Json | undefined =>
  data && typeof data === 'object' && !Array.isArray(data) ? data[key] : undefined;

function textOf(data: Json, key: string): string | undefined {
  const value = memberOf(data, key);
  return typeof value === 'string' && value ? value : undefined;
}

/** One sentence. Kinds of newer versions get a general one. */
export function sentenceOf({ kind, data }: Notification): string {
  const title = textOf(data, 'title');
  const gigs = memberOf(data, 'gigs');
  const details = {
    name: textOf(data, 'name') ?? FORMER_MEMBER,
    title: title ? `“${title}”` : 'something of yours',
    state: textOf(data, 'state'),
    gigs: Array.isArray(gigs) ? gigs.length : 1,
  };
  return LINES[kind]?.(details) ?? 'There’s news about your account.';
}

/** The page about the subject, if it is on this site. */
export function pathOf({ data }: Notification): string | undefined {
  const path = textOf(data, 'path');
  return path && /^\/(?![/\\])/.test(path) ? path : undefined;
}

export const DELIVERIES = [
  { value: 'now', label: 'At once' },
  { value: 'daily', label: 'Daily at 8 am' },
  { value: 'off', label: 'Never' },
] as const;
export type Delivery = (typeof DELIVERIES)[number]['value'];

interface Choice {
  kind: string;
  label: string;
  /** The roles that can get it; all if missing. */
  roles?: Role[];
}

const INFLUENCER: Role[] = ['influencer'];
const AGENCY: Role[] = ['agency'];

/** All kinds except admins' decisions, which are always mailed. */
const GROUPS: { title: string; choices: Choice[] }[] = [
  {
    title: 'Enquiries',
    choices: [
      { kind: 'enquiry_received', label: 'A new enquiry for me', roles: INFLUENCER },
      { kind: 'enquiry_reminder', label: 'A reminder to answer an enquiry', roles: INFLUENCER },
      { kind: 'enquiry_withdrawn', label: 'An enquiry for me is withdrawn', roles: INFLUENCER },
      { kind: 'enquiry_answered', label: 'An answer to my enquiry' },
      { kind: 'enquiry_expired', label: 'My enquiry expires without an answer' },
    ],
  },
  {
    title: 'Gigs',
    choices: [
      { kind: 'application_received', label: 'New applicants for my gigs', roles: AGENCY },
      { kind: 'application_withdrawn', label: 'An applicant withdraws', roles: AGENCY },
      { kind: 'application_decided', label: 'A decision about my application', roles: INFLUENCER },
      { kind: 'gig_closing', label: 'A gig closes soon', roles: INFLUENCER },
      { kind: 'gig_closed', label: 'A gig is closed', roles: [...INFLUENCER, ...AGENCY] },
    ],
  },
  {
    title: 'Work and reviews',
    choices: [
      { kind: 'collaboration_completed', label: 'Work is completed' },
      { kind: 'collaboration_cancelled', label: 'Work is cancelled' },
      { kind: 'review_invited', label: 'An invitation to write a review' },
      { kind: 'review_published', label: 'A review about me' },
      { kind: 'review_replied', label: 'A reply to my review' },
    ],
  },
];

/** The choices of an account with these roles. */
export const groupsFor = (roles: readonly Role[]) =>
  GROUPS.map(({ title, choices }) => ({
    title,
    choices: choices.filter((choice) => !choice.roles || choice.roles.some((role) => roles.includes(role))),
  })).filter(({ choices }) => choices.length > 0);

/** What e-mails of a kind are about, in lower case for the middle of a sentence. */
export function subjectOf(kind: string | null): string | undefined {
  if (kind === 'digest') return 'the daily summary';
  const choice = GROUPS.flatMap(({ choices }) => choices).find((one) => one.kind === kind);
  return choice ? `“${choice.label}”` : undefined;
}

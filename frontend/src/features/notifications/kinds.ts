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

/** The sentence. For those that people choose: the label on the account page, and the roles that can get it (all if missing). */
type Kind = [line: (details: Details) => string, label?: string, roles?: Role[]];

const INFLUENCER: Role[] = ['influencer'];
const AGENCY: Role[] = ['agency'];

/** The kinds of serasi.mail_templates, grouped as on the account page. */
const GROUPS: Record<string, Record<string, Kind>> = {
  Enquiries: {
    enquiry_received: [({ name }) => `${name} sent you an enquiry.`, 'A new enquiry for me', INFLUENCER],
    enquiry_reminder: [
      ({ name }) => `${name} is waiting for your answer.`,
      'A reminder to answer an enquiry',
      INFLUENCER,
    ],
    enquiry_withdrawn: [
      ({ name, state }) =>
        state === 'cancelled' ? `We cancelled an enquiry from ${name}.` : `${name} withdrew an enquiry.`,
      'An enquiry for me is withdrawn',
      INFLUENCER,
    ],
    enquiry_answered: [
      ({ name, state }) => `${name} ${state === 'accepted' ? 'accepted' : 'declined'} your enquiry.`,
      'An answer to my enquiry',
    ],
    enquiry_expired: [({ name }) => `Your enquiry to ${name} expired.`, 'My enquiry expires without an answer'],
  },
  Gigs: {
    application_received: [
      ({ title, gigs }) => `There are new applicants for ${gigs > 1 ? 'your gigs' : title}.`,
      'New applicants for my gigs',
      AGENCY,
    ],
    application_withdrawn: [
      ({ name, title }) => `${name} withdrew the application for ${title}.`,
      'An applicant withdraws',
      AGENCY,
    ],
    application_decided: [
      ({ title, state }) => `Your application for ${title} ${DECISIONS[state ?? ''] ?? 'was decided'}.`,
      'A decision about my application',
      INFLUENCER,
    ],
    gig_closing: [({ title }) => `${title} closes in 48 hours.`, 'A gig closes soon', INFLUENCER],
    gig_closed: [
      ({ title, state }) => `${title} ${ENDS[state ?? ''] ?? 'is closed'}.`,
      'A gig is closed',
      [...INFLUENCER, ...AGENCY],
    ],
  },
  'Work and reviews': {
    collaboration_completed: [({ name }) => `${name} says that your work is completed.`, 'Work is completed'],
    collaboration_cancelled: [({ name }) => `Your work with ${name} was cancelled.`, 'Work is cancelled'],
    review_invited: [({ name }) => `How was working with ${name}? Write a review.`, 'An invitation to write a review'],
    review_published: [({ name }) => `${name} reviewed you.`, 'A review about me'],
    review_replied: [({ name }) => `${name} replied to your review.`, 'A reply to my review'],
  },
  'Decisions of admins, which are always mailed': {
    approved: [() => 'Your profile is approved. Brands can find you now.'],
    report_decided: [
      ({ title, state }) =>
        `We reviewed your report about ${title} and ${state === 'upheld' ? 'upheld it' : 'found nothing against our rules'}.`,
    ],
    content_moderated: [({ title }) => `We upheld a report about ${title}.`],
  },
};

const KINDS = new Map(Object.values(GROUPS).flatMap(Object.entries<Kind>));

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
  return KINDS.get(kind)?.[0](details) ?? 'There’s news about your account.';
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

/** The choices of an account with these roles. */
export const groupsFor = (roles: readonly Role[]) =>
  Object.entries(GROUPS)
    .map(([title, kinds]) => ({
      title,
      choices: Object.entries(kinds).flatMap(([kind, [, label, wanted]]) =>
        label && (!wanted || wanted.some((role) => roles.includes(role))) ? [{ kind, label }] : [],
      ),
    }))
    .filter(({ choices }) => choices.length > 0);

/** What e-mails of a kind are about, in lower case for the middle of a sentence. */
export function subjectOf(kind: string | null): string | undefined {
  if (kind === 'digest') return 'the daily summary';
  const label = KINDS.get(kind ?? '')?.[1];
  return label && `“${label}”`;
}

// A collaboration from the reader's side.
import { dayOf } from '@/lib/dates';
import { FORMER_MEMBER } from '@/lib/former-member';
import { paths } from '@/lib/paths';
import type { Collaboration } from './queries';

const DAY = 24 * 60 * 60 * 1000;

/** Without an answer from the other side, it is completed after this time. */
const SILENCE = 7 * DAY;

/** The other side. */
export function partnerOf(work: Collaboration) {
  if (work.side === 'influencer') {
    return {
      name: work.client_name ?? FORMER_MEMBER,
      email: work.client_email,
      to: work.agency_id ? paths.agency(work.agency_id) : undefined,
    };
  }
  return {
    name: work.influencer_name ?? FORMER_MEMBER,
    email: work.influencer_email,
    to: work.influencer_id ? paths.profile(work.influencer_id) : undefined,
  };
}

const completedAt = (work: Collaboration, own: boolean) =>
  (work.side === 'influencer') === own ? work.influencer_completed_at : work.client_completed_at;

export const isCompletedByReader = (work: Collaboration): boolean => completedAt(work, true) !== null;

export const hasReviewed = (work: Collaboration): boolean => work.reviews.some(({ side }) => side === work.side);

/** Whether the reader can write a review now. */
export const canReview = (work: Collaboration, now: number): boolean =>
  work.state === 'completed' &&
  !hasReviewed(work) &&
  work.review_until !== null &&
  now < Date.parse(work.review_until) &&
  partnerOf(work).name !== FORMER_MEMBER;

const endOf = (since: string) => dayOf(new Date(Date.parse(since) + SILENCE).toISOString());

/** One sentence: what happened, and what comes next. */
export function sentenceOf(work: Collaboration): string {
  const partner = partnerOf(work).name;
  if (work.state === 'cancelled') return cancelled(work, partner);
  if (work.state === 'completed') return work.completed_at ? `Completed on ${dayOf(work.completed_at)}.` : 'Completed.';
  const [own, others] = [completedAt(work, true), completedAt(work, false)];
  if (own)
    return `You marked it as completed on ${dayOf(own)}. If ${partner} doesn’t respond, it’s completed on ${endOf(own)}.`;
  if (others) {
    return `${partner} marked it as completed on ${dayOf(others)}. If you don’t respond, it’s completed on ${endOf(others)}.`;
  }
  return 'Once the work is done and paid, both sides mark it as completed.';
}

function cancelled(work: Collaboration, partner: string): string {
  const on = work.cancelled_at ? ` on ${dayOf(work.cancelled_at)}` : '';
  if (work.cancelled_by === 'deletion') return `Cancelled${on} because a profile was deleted.`;
  const by = work.cancelled_by === 'admin' ? 'an admin' : work.cancelled_by === work.side ? 'you' : partner;
  return `Cancelled by ${by}${on}.`;
}

// The management page's form: edits timestamps as days, and validates them.
import { differenceInCalendarDays, parseISO } from 'date-fns';
import { z } from 'zod';
import { BADGES } from './lists';
import type { Moderation, RecordRow } from './record-queries';

/** YYYY-MM-DD, or empty. */
const day = z.string();

export const moderationForm = z
  .object({
    access_influencer_page: z.boolean(),
    access_agencies_page: z.boolean(),
    access_events_page: z.boolean(),
    access_gigs_page: z.boolean(),
    badge_type: z.enum(BADGES),
    start: day,
    end: day,
  })
  .refine(({ start, end }) => !start || !end || start <= end, {
    path: ['end'],
    message: 'The end date must not be before the start date',
  });

export type ModerationForm = z.infer<typeof moderationForm>;

/** Days are in UTC, so that they are the same for every admin. */
const dayOf = (moment: string | null): string => (moment ? new Date(moment).toISOString().slice(0, 10) : '');

/** An unchanged day keeps its original time. */
const momentOf = (chosen: string, before: string | null): string | null =>
  chosen === dayOf(before) ? before : chosen ? `${chosen}T00:00:00Z` : null;

export const formOf = (row: RecordRow): ModerationForm => ({
  access_influencer_page: row.access_influencer_page,
  access_agencies_page: row.access_agencies_page,
  access_events_page: row.access_events_page,
  access_gigs_page: row.access_gigs_page,
  badge_type: row.badge_type,
  start: dayOf(row.subscription_start_date),
  end: dayOf(row.subscription_end_date),
});

export const moderationFrom = ({ start, end, ...rest }: ModerationForm, before: RecordRow): Moderation => ({
  ...rest,
  subscription_start_date: momentOf(start, before.subscription_start_date),
  subscription_end_date: momentOf(end, before.subscription_end_date),
});

export const FIELD_NAMES: Record<keyof ModerationForm, string> = {
  access_influencer_page: 'Influencer page',
  access_agencies_page: 'Agencies page',
  access_events_page: 'Events page',
  access_gigs_page: 'Gigs page',
  badge_type: 'Badge',
  start: 'Start date',
  end: 'End date',
};

/** The progress of a subscription in days. */
export function progressOf(start: string, end: string, today: Date): { used: number; left: number } | undefined {
  if (!start || !end || start > end) return undefined;
  // The last day is included.
  const length = differenceInCalendarDays(parseISO(end), parseISO(start)) + 1;
  const used = Math.min(Math.max(differenceInCalendarDays(today, parseISO(start)), 0), length);
  return { used, left: length - used };
}

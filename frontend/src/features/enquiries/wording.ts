// Formats a brief's budget, dates and limit as text.
import { calendarDayOf } from '@/lib/dates';
import { ringgit } from '@/lib/ringgit';

export function budgetOf(from: number | null, to: number | null): string | undefined {
  if (from !== null && to !== null) return from === to ? ringgit(from) : `${ringgit(from)} – ${ringgit(to)}`;
  if (from !== null) return `From ${ringgit(from)}`;
  if (to !== null) return `Up to ${ringgit(to)}`;
  return undefined;
}

export function datesOf(from: string | null, to: string | null): string | undefined {
  if (from && to) return from === to ? calendarDayOf(from) : `${calendarDayOf(from)} – ${calendarDayOf(to)}`;
  if (from) return `From ${calendarDayOf(from)}`;
  if (to) return `Until ${calendarDayOf(to)}`;
  return undefined;
}

/** 'You can send 3 more enquiries today' */
export const allowanceText = (left: number): string =>
  left > 0
    ? `You can send ${left} more ${left === 1 ? 'enquiry' : 'enquiries'} today.`
    : 'You have sent 5 enquiries in the last 24 hours. Try again later.';

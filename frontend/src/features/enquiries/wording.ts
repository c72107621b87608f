// How a brief's budget and dates read.
import { dayOf } from '@/lib/dates';

const money = (ringgit: number) => `RM ${ringgit.toLocaleString('en-MY')}`;

export function budgetOf(from: number | null, to: number | null): string | undefined {
  if (from !== null && to !== null) return from === to ? money(from) : `${money(from)} – ${money(to)}`;
  if (from !== null) return `From ${money(from)}`;
  if (to !== null) return `Up to ${money(to)}`;
  return undefined;
}

export function datesOf(from: string | null, to: string | null): string | undefined {
  if (from && to) return from === to ? dayOf(from) : `${dayOf(from)} – ${dayOf(to)}`;
  if (from) return `From ${dayOf(from)}`;
  if (to) return `Until ${dayOf(to)}`;
  return undefined;
}

/** 'You can send 3 more enquiries today' */
export const allowanceText = (left: number): string =>
  left > 0
    ? `You can send ${left} more ${left === 1 ? 'enquiry' : 'enquiries'} today.`
    : 'You have sent 5 enquiries in the last 24 hours. Please try again later.';

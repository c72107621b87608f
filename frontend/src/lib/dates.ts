const MONTH = new Intl.DateTimeFormat('en-GB', { month: 'short', year: 'numeric' });
const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });

/** For example 'Mar 2026'. */
export const monthOf = (iso: string): string => MONTH.format(new Date(iso));

/** For example '12 Nov 2026'. */
export const dayOf = (iso: string): string => DAY.format(new Date(iso));

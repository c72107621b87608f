const MONTH = new Intl.DateTimeFormat('en-GB', { month: 'short', year: 'numeric' });
const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });

/** All users see the marketplace's own time zone. */
const MOMENT = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'Asia/Kuala_Lumpur',
});

/** For example 'Mar 2026'. */
export const monthOf = (iso: string): string => MONTH.format(new Date(iso));

/** A day without a time, such as a deadline: the same day in every time zone. */
export const calendarDayOf = (day: string): string => DAY.format(new Date(`${day}T12:00:00`));

/** Today in Malaysia, where deadlines count. As '2026-11-12'. */
export const todayInMalaysia = (now = new Date()): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone: 'Asia/Kuala_Lumpur' }).format(now);

/** For example '12 Nov 2026'. */
export const dayOf = (iso: string): string => DAY.format(new Date(iso));

/** For example '12 Nov 2026, 14:05', in Kuala Lumpur. */
export const momentOf = (iso: string): string => MOMENT.format(new Date(iso));

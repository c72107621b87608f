// Formats the state of the system as text.

const NUMBER = new Intl.NumberFormat('en-GB');
const UNITS = ['B', 'KB', 'MB', 'GB', 'TB'];

/** For example '12.5 MB'. */
export function sizeOf(bytes: number): string {
  let unit = 0;
  let size = bytes;
  while (size >= 1000 && unit < UNITS.length - 1) {
    size /= 1000;
    unit += 1;
  }
  return `${size < 10 && unit > 0 ? size.toFixed(1) : NUMBER.format(Math.round(size))} ${UNITS[unit]}`;
}

const STEPS = [
  [86_400, 'day'],
  [3600, 'hour'],
  [60, 'minute'],
] as const;

/** For example '3 hours'. */
export function spanOf(seconds: number): string {
  const [length, name] = STEPS.find(([step]) => seconds >= step) ?? [1, 'second'];
  const count = Math.max(0, Math.floor(seconds / length));
  return `${count} ${name}${count === 1 ? '' : 's'}`;
}

export const sinceOf = (iso: string, now: number): string => spanOf((now - Date.parse(iso)) / 1000);

/** The highest number that the database counts to. */
const MOST_MAILS = 1000;

export const mailsOf = (count: number): string => (count >= MOST_MAILS ? `${count} or more` : String(count));

// Days as people in Malaysia type them.
import { format, isValid, parse } from 'date-fns';

/** How date fields show a day: 25 Nov 2026. */
export const SHOWN_DAY = 'd MMM yyyy';
/** Day first, and ISO dates. */
const FORMATS = [SHOWN_DAY, 'd MMMM yyyy', 'd/M/yyyy', 'd-M-yyyy', 'd.M.yyyy', 'yyyy-MM-dd'];

/** Converts typed text to an ISO date. Undefined if it isn't a date. */
export function dayFrom(text: string): string | undefined {
  for (const pattern of FORMATS) {
    const date = parse(text.trim(), pattern, new Date());
    if (isValid(date) && date.getFullYear() > 999) return format(date, 'yyyy-MM-dd');
  }
  return undefined;
}

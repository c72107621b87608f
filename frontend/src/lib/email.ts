// Validates an e-mail address like the database's `app.is_email`.
import { oneLine } from './one-line';

const FORM = /^[^\s@,;:<>()"\\]+@[^\s@,;:<>()"\\]+\.[^\s@,;:<>()"\\.]+$/;
const MOST = 254;

/** A link that opens a new mail. Unencoded, an address such as `a?bcc=b@c.test` would set other fields of the mail. */
export const mailTo = (address: string): string => `mailto:${encodeURIComponent(address).replace('%40', '@')}`;

/** The length is counted in characters, as in PostgreSQL. */
export const isEmail = (text: string): boolean => [...text].length <= MOST && FORM.test(text) && oneLine(text) === text;

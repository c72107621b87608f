// As the database checks an address: `app.is_email`.
const FORM = /^[^\s@,;:<>()"\\]+@[^\s@,;:<>()"\\]+\.[^\s@,;:<>()"\\.]+$/;
const MOST = 254;

/** Counted in letters, as there. */
export const isEmail = (text: string): boolean => [...text].length <= MOST && FORM.test(text);

// Names and titles are one line of visible text, as the database requires (`app.is_one_line`). Pasted text may contain
// line breaks, other spaces and invisible characters.
const SPACES = /[\p{Cc}\p{Zl}\p{Zp}\u2800]+|(?! )\p{Zs}/gu;
// Joiners and variation selectors are part of emoji and of some scripts.
const INVISIBLE = /(?!\p{Join_Control}|[\uFE00-\uFE0F])\p{Default_Ignorable_Code_Point}|[\uFFF9-\uFFFB]/gu;
const SELECTORS = /(^|[A-Za-z _.-])[\uFE00-\uFE0F][\uFE00-\uFE0F\p{Join_Control}]*/gu;
const JOINERS = /(^|\p{ASCII})\p{Join_Control}+|\p{Join_Control}+(?=\p{ASCII}|$)/gu;

/** The text without what the database would reject, and without surrounding spaces. */
export const oneLine = (text: string): string =>
  text.replace(SPACES, ' ').replace(INVISIBLE, '').replace(JOINERS, '$1').replace(SELECTORS, '$1').trim();

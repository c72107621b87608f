// Validates a link like the database: http or https, a full host name, and no private network address.
const FORM = /^https?:\/\/([^\s/?#@:\\"'<>[\]]+\.)+[^\s/?#@:\\"'<>[\].]+(:[0-9]{1,5})?([/?#][^\s"'<>\\]*)?$/i;
const PRIVATE = /^https?:\/\/(0|10|127|169\.254|192\.168|172\.(1[6-9]|2[0-9]|3[01]))\./i;
const MOST = 2000;

/** A host name with a dot, and what follows it: 'instagram.com/nadia'. No user, and no other scheme. */
const WITHOUT_SCHEME = /^[^\s/?#@:]+\.[^\s/?#@:]+(:[0-9]{1,5})?([/?#]|$)/;

/** Adds https:// to a link that was typed without it. */
export const withScheme = (text: string): string => (WITHOUT_SCHEME.test(text) ? `https://${text}` : text);

/** The error at a field for a link. */
export const LINK_FAULT = 'Enter a link such as https://example.com';

/** An empty link is valid. */
export const isWebLink = (text: string): boolean =>
  text === '' || (text.length <= MOST && FORM.test(text) && !PRIVATE.test(text));

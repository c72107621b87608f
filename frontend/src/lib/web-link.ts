// As the database checks an address that people are sent to: a full name, no address inside somebody's own network.
const FORM = /^https?:\/\/([^\s/?#@:\\"'<>[\]]+\.)+[^\s/?#@:\\"'<>[\].]+(:[0-9]{1,5})?([/?#][^\s"'<>\\]*)?$/i;
const PRIVATE = /^https?:\/\/(0|10|127|169\.254|192\.168|172\.(1[6-9]|2[0-9]|3[01]))\./i;
const MOST = 2000;

/** No address at all is fine. */
export const isWebLink = (text: string): boolean =>
  text === '' || (text.length <= MOST && FORM.test(text) && !PRIVATE.test(text));

// Case-insensitive substring search in PostgREST syntax.

/** The search text without surrounding spaces and without NUL, which PostgreSQL can't store. */
export const searchedText = (typed: string): string => typed.replaceAll('\0', '').trim();

/** Escapes `%`, `_` and `\` in typed text. `*`, PostgREST's alias for `%`, becomes a single-character wildcard. */
export function likePattern(text: string): string {
  return `%${text.replace(/[\\%_]/g, (letter) => `\\${letter}`).replaceAll('*', '_')}%`;
}

const escapeRegex = (text: string): string => text.replace(/[\\^$.|?*+(){}[\]-]/g, (letter) => `\\${letter}`);

/** Quotes a value inside `or=(…)`, where commas, dots and parentheses have a meaning. */
export function quoted(value: string): string {
  return `"${value.replace(/["\\]/g, (letter) => `\\${letter}`)}"`;
}

/** The content of an `or=(…)` that matches if any of the columns contains the text. */
export function containsAny(columns: readonly string[], text: string): string {
  const like = quoted(likePattern(text));
  if (!text.includes('*')) return columns.map((column) => `${column}.ilike.${like}`).join(',');
  // PostgREST's ILIKE can't match a literal asterisk: the pattern finds candidates through the index, and the regular
  // expression selects the matches.
  const exact = quoted(escapeRegex(text));
  return columns.map((column) => `and(${column}.ilike.${like},${column}.imatch.${exact})`).join(',');
}

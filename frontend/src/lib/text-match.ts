// "Contains this text, whatever the case", as PostgREST says it.

/** What is looked for: without the spaces around it, and without the one character PostgreSQL can't store. */
export const searchedText = (typed: string): string => typed.replaceAll('\0', '').trim();

/** `%`, `_` and `\` of a typed text stand for themselves; `*`, PostgREST's spelling of `%`, becomes any one character. */
export function likePattern(text: string): string {
  return `%${text.replace(/[\\%_]/g, (letter) => `\\${letter}`).replaceAll('*', '_')}%`;
}

const literally = (text: string): string => text.replace(/[\\^$.|?*+(){}[\]-]/g, (letter) => `\\${letter}`);

/** Quotes a value inside `or=(…)`, where commas, dots and brackets have a meaning. */
export function quoted(value: string): string {
  return `"${value.replace(/["\\]/g, (letter) => `\\${letter}`)}"`;
}

/** The inside of an `or=(…)`: one of the columns contains the text. */
export function containsAny(columns: readonly string[], text: string): string {
  const like = quoted(likePattern(text));
  if (!text.includes('*')) return columns.map((column) => `${column}.ilike.${like}`).join(',');
  // No ILIKE can ask for an asterisk: the pattern finds the candidates by index, the expression the right ones.
  const exact = quoted(literally(text));
  return columns.map((column) => `and(${column}.ilike.${like},${column}.imatch.${exact})`).join(',');
}

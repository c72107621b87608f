// Merges edits of one record from two tabs: keeps what the other tab saved, and reports conflicts instead of
// overwriting them. Columns are compared by value; lists and objects count as one value.
import { hashKey } from '@tanstack/react-query';

/** The columns whose values differ, ignoring the order of object keys. */
export function changedColumns<Columns extends object>(now: Columns, before: Columns): (keyof Columns & string)[] {
  const names = Object.keys(now) as (keyof Columns & string)[];
  return names.filter((name) => hashKey([now[name] ?? null]) !== hashKey([before[name] ?? null]));
}

export interface Merge<Columns extends object> {
  /** Changed by this tab only; to be sent. */
  send: Partial<Columns>;
  /** Changed by another tab only. */
  kept: string[];
  /** Changed by both tabs to different values. */
  clashes: string[];
}

/** `before`: the record this tab started from. `mine`: this tab's version. `theirs`: the stored version. */
export function merge<Columns extends object>(before: Columns, mine: Columns, theirs: Columns): Merge<Columns> {
  const changed = changedColumns(mine, before);
  const elsewhere = changedColumns(theirs, before);
  const different = new Set<string>(changedColumns(mine, theirs));
  return {
    send: Object.fromEntries(changed.map((name) => [name, mine[name]])) as Partial<Columns>,
    kept: elsewhere.filter((name) => !changed.includes(name)),
    clashes: elsewhere.filter((name) => changed.includes(name) && different.has(name)),
  };
}

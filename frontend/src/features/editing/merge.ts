// Two tabs, one record: what another tab saved meanwhile is kept, and nobody overwrites it without being asked.
// Columns are compared by what they hold; lists and objects count as one.
import { hashKey } from '@tanstack/react-query';

/** The columns whose values differ; the order of an object's keys says nothing. */
export function changedColumns<Columns extends object>(now: Columns, before: Columns): (keyof Columns & string)[] {
  const names = Object.keys(now) as (keyof Columns & string)[];
  return names.filter((name) => hashKey([now[name] ?? null]) !== hashKey([before[name] ?? null]));
}

export interface Merge<Columns extends object> {
  /** What this tab changed, to send. */
  send: Partial<Columns>;
  /** What another tab changed and this one did not. */
  kept: string[];
  /** What both changed, each to something else. */
  clashes: string[];
}

/** `before` is what this tab began with, `mine` what it wants now, `theirs` what is stored now. */
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

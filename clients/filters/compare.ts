// Compares each screen's query, sent to the gateway page by page, with the reference filter over all rows.

import fc from 'fast-check';
import { test as base, expect } from 'vitest';
import { allRows, type Table } from '../../frontend/e2e/strange-rows';
import type { Answer, Client } from './gateway';

const database = process.env.DB_URL ?? '';
export const test = base.skipIf(!database && !process.env.CI);

const RUNS = 150;
/** At least this many runs must match some rows but not all: other results prove little. */
const TELLING = RUNS / 5;

export interface Comparison<Row, Chosen> {
  table: Table;
  filters: (rows: Row[]) => fc.Arbitrary<Chosen>;
  asked: (client: Client, filters: Chosen) => Promise<Answer>;
  fits: (row: Row, filters: Chosen) => boolean;
  /** The most rows that the screen shows. */
  most?: number;
}

const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

export async function compare<Row extends { id: string }, Chosen>(client: Client, with_: Comparison<Row, Chosen>) {
  let rows = await allRows<Row>(database, with_.table);
  let telling = 0;
  const expected = (filters: Chosen): Answer => {
    const ids = rows
      .filter((row) => with_.fits(row, filters))
      .map(({ id }) => id)
      .slice(0, with_.most);
    return { ids, total: ids.length };
  };
  await fc.assert(
    fc.asyncProperty(with_.filters(rows), async (filters) => {
      let answer = await with_.asked(client, filters);
      // Another test may be changing profiles: repeats until the rows are the same before and after the request.
      for (let still = false; !still && !same(answer, expected(filters)); ) {
        rows = await allRows<Row>(database, with_.table);
        answer = await with_.asked(client, filters);
        still = same(await allRows<Row>(database, with_.table), rows);
      }
      expect(answer).toEqual(expected(filters));
      if (answer.total > 0 && answer.total < rows.length) telling += 1;
    }),
    { numRuns: RUNS },
  );
  expect(telling).toBeGreaterThan(TELLING);
}

/** Part of a stored value in upper or lower case, or a string of characters that are special in filters. */
export function typedText(values: (string | null)[]): fc.Arbitrary<string> {
  const there = [...new Set(values.filter((value): value is string => Boolean(value)))];
  const piece = fc
    .tuple(fc.constantFrom(...there), fc.nat(40), fc.integer({ min: 1, max: 8 }), fc.boolean())
    .map(([value, start, length, upper]) => {
      const letters = [...value];
      const part = letters.slice(start % letters.length, (start % letters.length) + length).join('');
      return upper ? part.toUpperCase() : part.toLowerCase();
    });
  const strange = fc.string({
    unit: fc.constantFrom('a', 'L', ' ', '%', '_', '*', ',', '.', ':', '(', ')', '"', "'", '\\', 'é'),
    maxLength: 4,
  });
  return fc.oneof({ weight: 4, arbitrary: piece }, { weight: 1, arbitrary: strange });
}

/** Usually no filter, because many filters together match nothing. */
export const seldom = <Value>(filtered: fc.Arbitrary<Value>, none: Value): fc.Arbitrary<Value> =>
  fc.oneof({ weight: 4, arbitrary: fc.constant(none) }, { weight: 1, arbitrary: filtered });

export const choice = (...values: string[]) => seldom(fc.constantFrom(...values), '');

// Each screen's query, through the gateway and a page at a time, against the plain filter over all rows.

import fc from 'fast-check';
import { test as base, expect } from 'vitest';
import { allRows, type Table } from '../../e2e/strange-rows';
import type { Answer, Client } from './gateway';

const database = process.env.DB_URL ?? '';
export const test = base.skipIf(!database);

const RUNS = 150;
/** So many of them have to find something, and leave something out: else the comparison says little. */
const TELLING = RUNS / 5;

export interface Comparison<Row, Chosen> {
  table: Table;
  filters: (rows: Row[]) => fc.Arbitrary<Chosen>;
  asked: (client: Client, filters: Chosen) => Promise<Answer>;
  fits: (row: Row, filters: Chosen) => boolean;
  /** Where no more are shown than these. */
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
      // Another test may be changing profiles: what is asked while all of them stand still counts.
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

/** A piece of something that is there, in any case, or something made of what filters stumble over. */
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

/** Mostly not filtered: many filters at once find nothing. */
export const seldom = <Value>(filtered: fc.Arbitrary<Value>, none: Value): fc.Arbitrary<Value> =>
  fc.oneof({ weight: 4, arbitrary: fc.constant(none) }, { weight: 1, arbitrary: filtered });

export const choice = (...values: string[]) => seldom(fc.constantFrom(...values), '');

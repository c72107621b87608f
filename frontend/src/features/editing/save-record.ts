// Saves an account's only record: an influencer's, an agency's or a vendor's.
import type { PostgrestSingleResponse } from '@supabase/postgrest-js';
import { constraintOf } from '@/lib/errors';
import { merge } from './merge';

/** In milliseconds. */
const READ_TIMEOUT = 30_000;

type Response<Data> = PromiseLike<PostgrestSingleResponse<Data>>;

/** The requests to a portal's table. Row-level security limits them to the account's own record. */
export interface OwnTable<Row, Columns> {
  read: (userId: string, signal: AbortSignal) => Response<Row | null>;
  insert: (userId: string, columns: Columns) => Response<Row>;
  update: (userId: string, columns: Partial<Columns>) => Response<Row>;
  /** The constraint that allows one record for each account. */
  onlyOne: string;
}

export interface Saved<Row> {
  row: Row;
  /** Columns that another tab changed, which keep its values. */
  kept: string[];
}

/** Another tab saved different values for the same fields, so the user has to choose a version. */
export class Clash<Row> extends Error {
  constructor(
    readonly columns: string[],
    /** The record as it is now stored. */
    readonly row: Row,
  ) {
    super('Changed in another tab');
  }
}

interface RecordInput<Row, Columns> {
  userId: string;
  /** The form's columns. */
  columns: Columns;
  /** The record the form started from. */
  before: Row | null;
  columnsOf: (row: Row | null) => Columns;
  /** Columns that follow from others, and never need a decision. */
  derived?: string[];
  /** Whether to replace what another tab saved in the same fields. */
  overwrite: boolean;
}

/** The account's record; `null` before the first save. */
export async function ownRecord<Row>(
  table: Pick<OwnTable<Row, never>, 'read'>,
  userId: string,
  signal = AbortSignal.timeout(READ_TIMEOUT),
): Promise<Row | null> {
  const { data, error } = await table.read(userId, signal);
  if (error) throw error;
  return data;
}

/**
 * Updates the record if there is one, and inserts it otherwise. An update sends only the fields this form changed, so
 * that another tab's changes stay. If both changed the same field, nothing is written until the user has chosen a
 * version.
 */
export async function saveRecord<Row, Columns extends object>(
  table: OwnTable<Row, Columns>,
  input: RecordInput<Row, Columns>,
): Promise<Saved<Row>> {
  const { userId } = input;
  const now = await ownRecord(table, userId);
  if (now) return update(table, input, now);
  // There is no record yet, or an admin has deleted it.
  const { data, error } = await table.insert(userId, input.columns);
  if (!error) return { row: data, kept: [] };
  // Another tab inserted the record first.
  const theirs = constraintOf(error) === table.onlyOne ? await ownRecord(table, userId) : null;
  if (!theirs) throw error;
  return update(table, input, theirs);
}

async function update<Row, Columns extends object>(
  table: OwnTable<Row, Columns>,
  input: RecordInput<Row, Columns>,
  now: Row,
): Promise<Saved<Row>> {
  const { columnsOf, derived = [] } = input;
  const { send, kept, clashes } = merge(columnsOf(input.before), input.columns, columnsOf(now));
  const disputed = clashes.filter((name) => !derived.includes(name));
  if (disputed.length > 0 && !input.overwrite) throw new Clash(disputed, now);
  if (Object.keys(send).length === 0) return { row: now, kept };
  const { data, error } = await table.update(input.userId, send);
  if (error) throw error;
  return { row: data, kept };
}

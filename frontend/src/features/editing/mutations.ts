// Saves the record of an agency or a vendor. Each account has at most one.
import type { Database } from '@/lib/database.types';
import { constraintOf } from '@/lib/errors';
import { rest } from '@/lib/supabase';
import { merge } from './merge';

type Table = 'agencies' | 'vendors';
/** Any of the two tables' columns; each portal's `rowOf` checks its own. */
type Written = Database['public']['Views']['vendors']['Insert'];

/** Another tab saved different values for the same fields, so the user has to choose a version. */
export class Clash<Row> extends Error {
  constructor(
    readonly columns: string[],
    readonly row: Row,
  ) {
    super('Changed in another tab');
  }
}

interface RecordInput<Row, Columns> {
  table: Table;
  userId: string;
  /** The form's columns. */
  columns: Columns;
  /** The record the form started from. */
  before: Row | null;
  columnsOf: (row: Row | null) => Columns;
  /** Whether to replace what another tab saved in the same fields. */
  overwrite: boolean;
}

/**
 * Updates the record if there is one, and inserts it otherwise. An update sends only the fields this form changed, so
 * that another tab's changes stay. If both changed the same field, nothing is written until the user has chosen a
 * version.
 */
export async function saveRecord<Row extends object, Columns extends Record<string, unknown>>(
  input: RecordInput<Row, Columns>,
): Promise<Row> {
  const { table, userId } = input;
  const now = await readOwn<Row>(table, userId);
  if (now) return update(input, now);
  // There is no record yet, or an admin has deleted it.
  const { data, error } = await rest()
    .from(table)
    .insert({ ...input.columns, user_id: userId } as Written)
    .select()
    .single();
  if (!error) return data as Row;
  // Another tab inserted the record first.
  const theirs = constraintOf(error) === `${table}_user_id_key` ? await readOwn<Row>(table, userId) : null;
  if (!theirs) throw error;
  return update(input, theirs);
}

async function update<Row extends object, Columns extends Record<string, unknown>>(
  input: RecordInput<Row, Columns>,
  now: Row,
): Promise<Row> {
  const { table, userId, columnsOf } = input;
  const { send, clashes } = merge(columnsOf(input.before), input.columns, columnsOf(now));
  if (clashes.length > 0 && !input.overwrite) throw new Clash(clashes, now);
  if (Object.keys(send).length === 0) return now;
  const { data, error } = await rest()
    .from(table)
    .update(send as Written)
    .eq('user_id', userId)
    .select()
    .single();
  if (error) throw error;
  return data as Row;
}

async function readOwn<Row>(table: Table, userId: string): Promise<Row | null> {
  const { data, error } = await rest().from(table).select().eq('user_id', userId).maybeSingle();
  if (error) throw error;
  return data as Row | null;
}

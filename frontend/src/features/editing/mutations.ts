// Saves the record of an agency or a vendor, of which each account has at most one.
import type { Database } from '@/lib/database.types';
import { constraintOf } from '@/lib/errors';
import { rest } from '@/lib/supabase';
import { merge } from './merge';

type Table = 'agencies' | 'vendors';
/** Which columns there are is checked where they are made, by each portal's `rowOf`. */
type Written = Database['public']['Views']['vendors']['Insert'];

/** Another tab saved the same fields differently: the person has to say which is right. */
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
  /** What this form wants to be stored. */
  columns: Columns;
  /** What it began with. */
  before: Row | null;
  columnsOf: (row: Row | null) => Columns;
  /** What another tab wrote into the same fields is to be replaced. */
  overwrite: boolean;
}

/**
 * Updated when there is one, else inserted. An update sends only what this form changed: what another tab saved
 * meanwhile stays, and where both changed the same nothing is written before somebody has decided.
 */
export async function saveRecord<Row extends object, Columns extends Record<string, unknown>>(
  input: RecordInput<Row, Columns>,
): Promise<Row> {
  const { table, userId } = input;
  const now = await readOwn<Row>(table, userId);
  if (now) return update(input, now);
  // None so far, or an admin deleted it since.
  const { data, error } = await rest()
    .from(table)
    .insert({ ...input.columns, user_id: userId } as Written)
    .select()
    .single();
  if (!error) return data as Row;
  // Another tab was quicker.
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

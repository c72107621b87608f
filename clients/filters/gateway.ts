// Sends the screens' own queries to the gateway without a browser.

import { PostgrestClient } from '@supabase/postgrest-js';
import { expect } from 'vitest';
import { publicKey } from '../../frontend/e2e/accounts';
import type { Table } from '../../frontend/e2e/strange-rows';
import { type Cursor, counting, nextCursor, type Page, pageAfter, totalOf } from '../../frontend/src/lib/pages';
import { baseURL, request } from '../server';

export type Client = PostgrestClient;

export async function visitorClient(): Promise<Client> {
  const key = await publicKey(request);
  return new PostgrestClient(`${baseURL}/rest/v1`, { headers: { apikey: key, Authorization: `Bearer ${key}` } });
}

export interface Answer {
  ids: string[];
  total: number;
}

const rowsOf = (client: Client, table: Table, cursor: Cursor | null) =>
  client.from(table).select('id,created_at', counting(cursor));
type Rows = ReturnType<typeof rowsOf>;

/** All pages, one after the other, as Load More requests them. */
export async function wholeList(client: Client, table: Table, narrow: (query: Rows) => Rows): Promise<Answer> {
  const pages: Page<Cursor>[] = [];
  for (let cursor: Cursor | null = null; ; ) {
    const { data, error, count } = await pageAfter(narrow(rowsOf(client, table, cursor)), cursor);
    expect(error).toBeNull();
    const page: Page<Cursor> = { rows: data as Cursor[], total: count };
    pages.push(page);
    const next = nextCursor(page, pages);
    if (!next) return { ids: pages.flatMap(({ rows }) => rows.map(({ id }) => id)), total: totalOf(pages) };
    cursor = next;
  }
}

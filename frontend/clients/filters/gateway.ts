// Sends the screens' own queries to the gateway without a browser.

import { PostgrestClient } from '@supabase/postgrest-js';
import { expect } from 'vitest';
import { publicKey } from '../../e2e/accounts';
import type { Table } from '../../e2e/strange-rows';
import { type Cursor, counting, nextCursor, type Page, type Pageable, pageAfter, totalOf } from '../../src/lib/pages';
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

/** All pages, one after the other, as Load More requests them. */
export async function wholeList<Query>(
  client: Client,
  table: Table,
  narrow: (query: Query & Pageable<never>) => Pageable<never>,
): Promise<Answer> {
  const pages: Page<Cursor>[] = [];
  for (let cursor: Cursor | null = null; ; ) {
    const all = client.from(table).select('id,created_at', counting(cursor));
    const asked = pageAfter(
      narrow(all as unknown as Query & Pageable<never>) as never,
      cursor,
    ) as unknown as typeof all;
    const { data, error, count } = await asked;
    expect(error).toBeNull();
    const page: Page<Cursor> = { rows: data as Cursor[], total: count };
    pages.push(page);
    const next = nextCursor(page, pages);
    if (!next) return { ids: pages.flatMap(({ rows }) => rows.map(({ id }) => id)), total: totalOf(pages) };
    cursor = next;
  }
}

// The screens' own queries, put to the real gateway from outside a browser.
import { type APIRequestContext, expect } from '@playwright/test';
import { PostgrestClient } from '@supabase/postgrest-js';
import { type Cursor, counting, nextCursor, type Page, type Pageable, pageAfter, totalOf } from '../../src/lib/pages';
import type { Table } from './strange-rows';

export type Client = PostgrestClient;

export async function visitorClient(request: APIRequestContext, baseUrl: string): Promise<Client> {
  const page = await (await request.get('/')).text();
  const key = /<meta name="anon-key" content="([^"]+)"/.exec(page)?.[1] ?? '';
  expect(key).not.toBe('');
  return new PostgrestClient(`${baseUrl}/rest/v1`, { headers: { apikey: key, Authorization: `Bearer ${key}` } });
}

export interface Answer {
  ids: string[];
  total: number;
}

/** All pages, as Load More brings them. */
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

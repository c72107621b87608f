// Keyset pagination: newest first, one page at a time. The total is requested once, with the first page.
import { quoted } from './text-match';

export const PAGE_SIZE = 24;

/** The last loaded row. The next page starts after it, even if rows were added or deleted in the meantime. */
export interface Cursor {
  created_at: string;
  id: string;
}

export interface Page<Row> {
  rows: Row[];
  /** Only the first page has it. */
  total: number | null;
}

/** The subset of postgrest-js query methods that pages use. */
export interface Pageable {
  lte(column: string, value: string): this;
  or(filters: string): this;
  order(column: string, options: { ascending: boolean }): this;
  limit(rows: number): this;
}

/**
 * `created_at <= X` is implied by the `or`, but lets PostgreSQL start at an index position, so that deep pages stay
 * fast.
 */
export function pageAfter<Query extends Pageable>(query: Query, cursor: Cursor | null): Query {
  let page = query;
  if (cursor) {
    const time = quoted(cursor.created_at);
    page = page
      .lte('created_at', cursor.created_at)
      .or(`created_at.lt.${time},and(created_at.eq.${time},id.lt.${quoted(cursor.id)})`);
  }
  return page.order('created_at', { ascending: false }).order('id', { ascending: false }).limit(PAGE_SIZE);
}

/** Counting reads every matching row, so it is done once. */
export const counting = (cursor: Cursor | null) => (cursor ? {} : { count: 'exact' as const });

export const totalOf = (pages: Page<unknown>[]): number => {
  const loaded = loadedOf(pages);
  return Math.max(pages[0]?.total ?? loaded, loaded);
};

const loadedOf = (pages: Page<unknown>[]): number => pages.reduce((sum, page) => sum + page.rows.length, 0);

export function nextCursor<Row extends Cursor>(last: Page<Row>, pages: Page<Row>[]): Cursor | undefined {
  const row = last.rows.at(-1);
  if (!row || last.rows.length < PAGE_SIZE || loadedOf(pages) >= totalOf(pages)) return undefined;
  return { created_at: row.created_at, id: row.id };
}

/** Pages stay cached while the user may come back to them; Refresh refetches. */
export const LIST_CACHE = { staleTime: 5 * 60_000, gcTime: 30 * 60_000 } as const;

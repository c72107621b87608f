// Keyset pagination: one page at a time, newest first unless told otherwise. The total is requested once, with the
// first page, by lists that show it.
import { quoted } from './text-match';

export const PAGE_SIZE = 24;

/** The last loaded row. The next page starts after it, even if rows were added or deleted in the meantime. */
export interface Cursor {
  created_at: string;
  id: string;
}

export interface Page<Row> {
  rows: Row[];
  /** Only the first page has it, and only in lists that are counted. */
  total: number | null;
}

/** The subset of postgrest-js query methods that pages use. */
export interface Pageable {
  gte(column: string, value: string): this;
  lte(column: string, value: string): this;
  or(filters: string): this;
  order(column: string, options: { ascending: boolean }): this;
  limit(rows: number): this;
}

interface PageOptions {
  size?: number;
  /** Oldest first. */
  ascending?: boolean;
  /** The column that orders the list. The cursor's `created_at` has its value. */
  by?: string;
}

/**
 * `created_at <= X` is implied by the `or`, but lets PostgreSQL start at an index position, so that deep pages stay
 * fast.
 */
export function pageAfter<Query extends Pageable>(
  query: Query,
  cursor: Cursor | null,
  { size = PAGE_SIZE, ascending = false, by = 'created_at' }: PageOptions = {},
): Query {
  let page = query;
  if (cursor) {
    const [time, id, after] = [quoted(cursor.created_at), quoted(cursor.id), ascending ? 'gt' : 'lt'];
    page = ascending ? page.gte(by, cursor.created_at) : page.lte(by, cursor.created_at);
    page = page.or(`${by}.${after}.${time},and(${by}.eq.${time},id.${after}.${id})`);
  }
  return page.order(by, { ascending }).order('id', { ascending }).limit(size);
}

/** The cursor after rows that were not counted: there may be more if the page is full. */
export function cursorAfter(rows: readonly Cursor[], size: number): Cursor | undefined {
  const last = rows.at(-1);
  return last && rows.length === size ? { created_at: last.created_at, id: last.id } : undefined;
}

/** Counting reads every matching row, so it is done once. */
export const counting = (cursor: Cursor | null) => (cursor ? {} : { count: 'exact' as const });

export const totalOf = (pages: Page<unknown>[]): number => {
  const loaded = loadedOf(pages);
  return Math.max(pages[0]?.total ?? loaded, loaded);
};

const loadedOf = (pages: Page<unknown>[]): number => pages.reduce((sum, page) => sum + page.rows.length, 0);

export function nextCursor<Row extends Cursor>(last: Page<Row>, pages: Page<Row>[]): Cursor | undefined {
  const total = pages[0]?.total ?? Number.POSITIVE_INFINITY;
  return loadedOf(pages) < total ? cursorAfter(last.rows, PAGE_SIZE) : undefined;
}

/** Pages stay cached while the user may come back to them; Refresh refetches. */
export const LIST_CACHE = { staleTime: 5 * 60_000, gcTime: 30 * 60_000 } as const;

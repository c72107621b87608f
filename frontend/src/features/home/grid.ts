/** Two rows of four cards. */
export const HOME_SIZE = 8;

/** Enough for the grid even if the four featured creators are among the newest. */
export const HOME_ROWS = 12;

/** The subset of postgrest-js query methods that the grid uses. */
export interface GridQuery<Query> {
  eq(column: string, value: string | boolean): Query;
  order(column: string, options: { ascending: boolean }): Query;
  limit(count: number): Query;
}

/** The newest creators of a category; 'All' means no filter. */
export function newestOf<Query extends GridQuery<Query>>(query: Query, category: string): Query {
  const approved = query.eq('approved', true);
  const chosen = category === 'All' ? approved : approved.eq('category', category);
  return chosen.order('created_at', { ascending: false }).order('id', { ascending: false }).limit(HOME_ROWS);
}

/** Featured creators, who are shown above the grid, come last: they fill it only if there are few others. */
export function cardsOf<Row extends { id: string }>(rows: Row[], featured: { id: string }[]): Row[] {
  const last = (row: Row) => Number(featured.some(({ id }) => id === row.id));
  return [...rows].sort((one, other) => last(one) - last(other)).slice(0, HOME_SIZE);
}

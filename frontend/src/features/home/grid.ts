/** Two rows of four cards. */
export const HOME_SIZE = 8;

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
  return chosen.order('created_at', { ascending: false }).order('id', { ascending: false }).limit(HOME_SIZE);
}

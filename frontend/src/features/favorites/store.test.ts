import { beforeEach, expect, it } from 'vitest';
import { useLocalFavorites } from './store';

beforeEach(() => useLocalFavorites.setState({ ids: [] }));

it('keeps the newest first, and removes an id that is toggled again', () => {
  const { toggle } = useLocalFavorites.getState();
  for (const id of ['a', 'b', 'c']) toggle(id);
  expect(useLocalFavorites.getState().ids).toEqual(['c', 'b', 'a']);
  toggle('b');
  expect(useLocalFavorites.getState().ids).toEqual(['c', 'a']);
});

it('drops an id that has moved to an account; dropping is idempotent', () => {
  const { toggle, drop } = useLocalFavorites.getState();
  toggle('a');
  drop('a');
  drop('a');
  expect(useLocalFavorites.getState().ids).toEqual([]);
});

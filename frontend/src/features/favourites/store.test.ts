import { beforeEach, expect, it } from 'vitest';
import { useLocalFavourites } from './store';

beforeEach(() => useLocalFavourites.setState({ ids: [] }));

it('keeps the newest first, and removes an id that is toggled again', () => {
  const { toggle } = useLocalFavourites.getState();
  for (const id of ['a', 'b', 'c']) toggle(id);
  expect(useLocalFavourites.getState().ids).toEqual(['c', 'b', 'a']);
  toggle('b');
  expect(useLocalFavourites.getState().ids).toEqual(['c', 'a']);
});

it('drops an id that has moved to an account; dropping is idempotent', () => {
  const { toggle, drop } = useLocalFavourites.getState();
  toggle('a');
  drop('a');
  drop('a');
  expect(useLocalFavourites.getState().ids).toEqual([]);
});

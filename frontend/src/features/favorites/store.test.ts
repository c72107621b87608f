import { beforeEach, expect, it, vi } from 'vitest';
import { storedIds, useLocalFavorites } from './store';

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

it('is kept in this browser', () => {
  useLocalFavorites.getState().toggle('a');
  expect(storedIds()).toEqual(['a']);
});

it.each(['', 'no list', '{}', '{"state":{"ids":"a"}}', 'null'])('starts empty when %j is stored', (text) => {
  localStorage.setItem('serasi-favourites', text);
  expect(storedIds()).toEqual([]);
});

it('works without storage', () => {
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError');
  });
  useLocalFavorites.getState().toggle('a');
  expect(useLocalFavorites.getState().ids).toEqual(['a']);
});

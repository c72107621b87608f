import { act, screen } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import { accountAnswers, SOMEBODY, serve, sessionOf } from '@/testing/backend';
import { openApp, openPart } from '@/testing/render';
import { useLocalFavorites } from '../store';
import { FavoritesLink } from './favorites-link';

beforeEach(() => useLocalFavorites.setState({ ids: [] }));

it('shows how many profiles a visitor saved, and leads to them', () => {
  serve({});
  openPart(<FavoritesLink />);
  const link = screen.getByRole('link', { name: 'Favorites' });
  expect(link).toHaveAttribute('href', '/favorites');
  expect(link).toHaveTextContent('');
  act(() => ['a', 'b', 'c'].forEach(useLocalFavorites.getState().toggle));
  expect(screen.getByRole('link', { name: 'Favorites, 3 saved' })).toHaveTextContent('3');
});

it("requests an account's favorites only once the browser is idle", async () => {
  let idle = () => {};
  vi.stubGlobal('requestIdleCallback', (callback: () => void) => {
    idle = callback;
    return 1;
  });
  const requests = serve({
    ...accountAnswers(SOMEBODY),
    'GET /rest/v1/favorites': () => [{ influencer_id: 'a' }, { influencer_id: 'b' }],
  });
  await openApp('/help-center', sessionOf(SOMEBODY));
  await vi.waitFor(() => expect(requests.some(({ path }) => path.endsWith('user_roles'))).toBe(true));
  expect(requests.some(({ path }) => path.endsWith('favorites'))).toBe(false);
  act(() => idle());
  expect(await screen.findByRole('link', { name: 'Favorites, 2 saved', hidden: true })).toBeInTheDocument();
});

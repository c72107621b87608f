// Saves and removals of a signed-in account: the server must receive them in the order of the clicks.
import { screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { accountAnswers, SOMEBODY, serve, sessionOf } from '@/testing/backend';
import { button, openPart, user } from '@/testing/render';
import { useFavorites } from './use-favorites';

afterEach(() => vi.unstubAllGlobals());

const AINA = 'c0000000-0000-4000-8000-000000000001';

function Toggle() {
  const { ids, toggle, local } = useFavorites();
  return (
    <button type="button" disabled={local || !ids} onClick={() => toggle(AINA)}>
      {ids?.includes(AINA) ? 'Saved' : 'Save'}
    </button>
  );
}

/** A backend whose writes respond only when they are told to. */
function slowBackend() {
  const pending: (() => void)[] = [];
  const slow = () =>
    new Promise<Response>((resolve) => {
      pending.push(() => resolve(new Response(null, { status: 204 })));
    });
  const requests = serve({
    ...accountAnswers({ ...SOMEBODY, roles: ['agency'] }),
    'GET /rest/v1/favorites': () => [],
    'POST /rest/v1/favorites': slow,
    'DELETE /rest/v1/favorites': slow,
  });
  const writes = () => requests.filter(({ method, path }) => method !== 'GET' && path === '/rest/v1/favorites');
  return { pending, methods: () => writes().map(({ method }) => method) };
}

it('sends a removal only after the save before it was answered, and shows each click at once', async () => {
  const { pending, methods } = slowBackend();
  openPart(<Toggle />, sessionOf(SOMEBODY));
  await waitFor(() => expect(button('Save')).toBeEnabled());
  await user.click(button('Save'));
  await waitFor(() => expect(methods()).toEqual(['POST']));
  await user.click(await screen.findByText('Saved'));
  await user.click(await screen.findByText('Save'));
  expect(await screen.findByText('Saved')).toBeVisible();
  expect(methods()).toEqual(['POST']);
  pending[0]?.();
  await waitFor(() => expect(methods()).toEqual(['POST', 'DELETE']));
  pending[1]?.();
  await waitFor(() => expect(methods()).toEqual(['POST', 'DELETE', 'POST']));
  pending[2]?.();
});

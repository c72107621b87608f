import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useSession } from '@/app/session';
import { setFavorite } from './mutations';
import { favoriteIdsQuery } from './queries';
import { useLocalFavorites } from './store';

/** The profile no longer exists, or this account may not see it. */
const isGone = (error: unknown) =>
  error instanceof Object && 'code' in error && (error.code === '42501' || error.code === '23503');

/** After sign-in, moves the favorites stored in this browser to the account. */
export function useMoveFavorites() {
  const { account } = useSession();
  const client = useQueryClient();
  useEffect(() => {
    const { ids, drop } = useLocalFavorites.getState();
    if (!account || ids.length === 0) return;
    void (async () => {
      // One at a time and oldest first, because the order is the insertion time.
      for (const id of [...ids].reverse()) {
        try {
          await setFavorite(account.id, id, true);
          drop(id);
        } catch (error) {
          // The server can't be reached: the rest stays in the browser until the next attempt.
          if (!isGone(error)) break;
          drop(id);
        }
      }
      await client.invalidateQueries({ queryKey: favoriteIdsQuery(account.id).queryKey });
    })();
  }, [account, client]);
}

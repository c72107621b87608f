import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useSession } from '@/app/session';
import { setFavourite } from './mutations';
import { favouriteIdsQuery } from './queries';
import { useLocalFavourites } from './store';

/** Who may not be kept is not there any more, for this account at least. */
const isGone = (error: unknown) =>
  error instanceof Object && 'code' in error && (error.code === '42501' || error.code === '23503');

/** What was kept in this browser belongs to the account that signs in. */
export function useMoveFavourites() {
  const { account } = useSession();
  const client = useQueryClient();
  useEffect(() => {
    const { ids, drop } = useLocalFavourites.getState();
    if (!account || ids.length === 0) return;
    void (async () => {
      // Oldest first and one after another: their order is the time at which they are stored.
      for (const id of [...ids].reverse()) {
        try {
          await setFavourite(account.id, id, true);
          drop(id);
        } catch (error) {
          // Nobody answered: the rest stays here until the next time.
          if (!isGone(error)) break;
          drop(id);
        }
      }
      await client.invalidateQueries({ queryKey: favouriteIdsQuery(account.id).queryKey });
    })();
  }, [account, client]);
}

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useSession } from '@/app/session';
import { messageOf } from '@/lib/errors';
import { toast } from '@/lib/toast';
import { setFavorite } from './mutations';
import { favoriteIdsQuery } from './queries';
import { useLocalFavorites } from './store';

export interface Favorites {
  /** Whether they are stored only in this browser. */
  local: boolean;
  /** Newest first; undefined while loading. */
  ids: string[] | undefined;
  error: unknown;
  retry: () => void;
  toggle: (id: string) => void;
}

/** Favorites for both cases: in the database when signed in, otherwise in this browser. */
export function useFavorites(): Favorites {
  const { account } = useSession();
  const local = useLocalFavorites();
  const client = useQueryClient();
  const userId = account?.id ?? '';
  const query = favoriteIdsQuery(userId);
  const stored = useQuery({ ...query, enabled: Boolean(account) });
  const save = useMutation({
    // One after the other, so that the last click wins.
    scope: { id: 'favorites' },
    mutationFn: ({ id, keep }: { id: string; keep: boolean }) => setFavorite(userId, id, keep),
    // Optimistic update, rolled back if the request fails.
    onMutate: async ({ id, keep }) => {
      await client.cancelQueries({ queryKey: query.queryKey, exact: true });
      client.setQueryData(query.queryKey, (ids = []) => {
        const others = ids.filter((other) => other !== id);
        return keep ? [id, ...others] : others;
      });
    },
    onError: (error) => {
      toast.error('Error', { description: messageOf(error) });
      void client.invalidateQueries({ queryKey: query.queryKey, exact: true });
    },
  });
  if (!account) {
    return { local: true, ids: local.ids, error: null, retry: () => {}, toggle: local.toggle };
  }
  const ids = stored.data;
  return {
    local: false,
    ids,
    error: ids ? null : stored.error,
    retry: () => void stored.refetch(),
    toggle: (id) => ids && save.mutate({ id, keep: !ids.includes(id) }),
  };
}

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { toast } from 'sonner';
import { messageOf } from '@/lib/errors';
import { setFavourite } from './mutations';
import { favouriteQuery } from './queries';
import { useLocalFavourites } from './store';

/** One switch for both kinds of visitor: in the database when signed in, else in this browser. */
export function useFavourite(userId: string | undefined, influencerId: string) {
  const local = useLocalFavourites();
  const client = useQueryClient();
  const query = favouriteQuery(userId ?? '', influencerId);
  const stored = useQuery({ ...query, enabled: Boolean(userId) });
  const save = useMutation({
    mutationFn: (keep: boolean) => setFavourite(userId ?? '', influencerId, keep),
    onSuccess: (_, keep) => client.setQueryData(query.queryKey, keep),
    onError: (error) => toast.error('Error', { description: messageOf(error) }),
  });
  if (!userId) {
    return { saved: local.ids.includes(influencerId), busy: false, toggle: () => local.toggle(influencerId) };
  }
  const saved = stored.data ?? false;
  return { saved, busy: stored.isPending || save.isPending, toggle: () => save.mutate(!saved) };
}

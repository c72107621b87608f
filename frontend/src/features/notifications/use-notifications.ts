import { type InfiniteData, useMutation, useQueryClient } from '@tanstack/react-query';
import { useSession } from '@/app/session';
import { reasonOf } from '@/lib/errors';
import type { Page } from '@/lib/pages';
import { toast } from '@/lib/toast';
import type { Notification } from './kinds';
import { markSeen } from './mutations';
import { listQuery, NOTIFICATIONS_KEY, newestQuery, unreadQuery } from './queries';

/** Marks notifications as read, in both the bell and the list. Without ids: all. */
export function useMarkSeen() {
  const { account } = useSession();
  const client = useQueryClient();
  const userId = account?.id ?? '';
  return useMutation({
    mutationFn: (ids?: string[]) => markSeen(ids),
    onMutate: async (ids) => {
      await client.cancelQueries({ queryKey: NOTIFICATIONS_KEY });
      const seen_at = new Date().toISOString();
      const mark = (rows: Notification[]) =>
        rows.map((row) => (row.seen_at === null && (!ids || ids.includes(row.id)) ? { ...row, seen_at } : row));
      client.setQueryData(newestQuery(userId).queryKey, (rows) => rows && mark(rows));
      client.setQueryData(
        listQuery(userId).queryKey,
        (list: InfiniteData<Page<Notification>, unknown> | undefined) =>
          list && { ...list, pages: list.pages.map((page) => ({ ...page, rows: mark(page.rows) })) },
      );
    },
    onSuccess: (unread) => client.setQueryData(unreadQuery(userId).queryKey, unread),
    onError: (error) => {
      toast.error('Not marked as read', { description: reasonOf(error) });
      void client.invalidateQueries({ queryKey: NOTIFICATIONS_KEY });
    },
  });
}

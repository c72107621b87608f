import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useSession } from '@/app/session';
import { unreadQuery } from './queries';

/**
 * How many notifications are unread, and a sentence for screen readers when there are more than before. Polled once a
 * minute while the page is visible, and after each of the user's actions.
 */
export function useUnread() {
  const { account } = useSession();
  const client = useQueryClient();
  const userId = account?.id ?? '';
  const { data: unread } = useQuery({ ...unreadQuery(userId), enabled: Boolean(account) });

  useEffect(() => {
    if (!userId) return;
    const { queryKey } = unreadQuery(userId);
    return client.getMutationCache().subscribe((event) => {
      if (event.type === 'updated' && event.action.type === 'success') void client.invalidateQueries({ queryKey });
    });
  }, [client, userId]);

  const before = useRef<number>(undefined);
  const [news, setNews] = useState('');
  useEffect(() => {
    if (unread === undefined) return;
    const more = before.current !== undefined && unread > before.current;
    before.current = unread;
    setNews(more ? `${unread} unread ${unread === 1 ? 'notification' : 'notifications'}` : '');
  }, [unread]);
  return { unread: unread ?? 0, news };
}

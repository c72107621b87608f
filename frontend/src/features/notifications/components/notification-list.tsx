import { useInfiniteQuery } from '@tanstack/react-query';
import { useSession } from '@/app/session';
import { EmptyState, Loader } from '@/components/empty-state';
import { LoadFailure } from '@/components/load-failure';
import { LoadMore } from '@/components/load-more';
import { Button } from '@/components/ui/button';
import { cardVariants } from '@/components/ui/card';
import { listQuery } from '../queries';
import { useMarkSeen } from '../use-notifications';
import { NotificationRow } from './notification-row';

const FAILED = 'Failed to load notifications';

/** All notifications, a page at a time. */
export function NotificationList() {
  const { account } = useSession();
  const list = useInfiniteQuery(listQuery(account?.id ?? ''));
  const mark = useMarkSeen();
  if (!list.data) {
    return list.isError ? (
      <LoadFailure inside title={FAILED} error={list.error} retry={() => void list.refetch()} />
    ) : (
      <Loader label="Loading notifications..." />
    );
  }
  const rows = list.data.pages.flatMap((page) => page.rows);
  if (rows.length === 0) {
    return (
      <EmptyState
        title="No notifications yet"
        text="News about your enquiries, applications and reviews appears here."
      />
    );
  }
  return (
    <section aria-label="All notifications">
      <div className="mb-3 flex min-h-9 justify-end">
        {rows.some((row) => row.seen_at === null) ? (
          <Button variant="outline" size="small" onClick={() => mark.mutate(undefined)}>
            Mark all as read
          </Button>
        ) : null}
      </div>
      <ul className={cardVariants({ className: 'grid gap-0.5 p-2' })}>
        {rows.map((row) => (
          <NotificationRow key={row.id} row={row} onSeen={(id) => mark.mutate([id])} />
        ))}
      </ul>
      <LoadMore list={list} failed={FAILED} />
    </section>
  );
}

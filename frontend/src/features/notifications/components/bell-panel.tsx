import { useQuery } from '@tanstack/react-query';
import { Popover } from 'radix-ui';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import { useSession } from '@/app/session';
import { Button, buttonVariants } from '@/components/ui/button';
import { iconButtonVariants } from '@/components/ui/icon-button';
import { menuVariants } from '@/components/ui/menu';
import { Skeleton } from '@/components/ui/skeleton';
import { paths } from '@/lib/paths';
import { newestQuery } from '../queries';
import { useMarkSeen } from '../use-notifications';
import { NotificationRow } from './notification-row';

/** The newest notifications. Open when mounted, because it is loaded on demand. */
export default function BellPanel({ label, face }: { label: string; face: ReactNode }) {
  const [open, setOpen] = useState(true);
  const close = () => setOpen(false);
  return (
    <Popover.Root open={open} onOpenChange={setOpen}>
      <Popover.Trigger className={iconButtonVariants({ className: 'relative' })} aria-label={label}>
        {face}
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          className={menuVariants({
            className: 'flex max-h-[min(560px,80dvh)] w-[min(400px,calc(100vw-24px))] flex-col',
          })}
          align="end"
          sideOffset={8}
          collisionPadding={12}
          aria-label="Notifications"
        >
          <Newest onLeave={close} />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

function Newest({ onLeave }: { onLeave: () => void }) {
  const { account } = useSession();
  const { data: rows, isError, refetch } = useQuery(newestQuery(account?.id ?? ''));
  const mark = useMarkSeen();
  const hasUnread = rows?.some((row) => row.seen_at === null);
  return (
    <>
      <div className="flex min-h-10.5 items-center justify-between gap-3 px-3">
        <h2 className="text-[18px]">Notifications</h2>
        {hasUnread ? (
          <Button variant="ghost" size="small" onClick={() => mark.mutate(undefined)}>
            Mark all as read
          </Button>
        ) : null}
      </div>
      {rows ? (
        rows.length > 0 ? (
          <ul className="min-h-0 overflow-y-auto">
            {rows.map((row) => (
              <NotificationRow key={row.id} row={row} onSeen={(id) => mark.mutate([id])} onLeave={onLeave} />
            ))}
          </ul>
        ) : (
          <p className="px-3 py-4 text-[15px] text-muted-foreground">
            No notifications yet. News about your enquiries, applications and reviews appears here.
          </p>
        )
      ) : isError ? (
        <div className="grid gap-3 px-3 py-4" role="alert">
          <p className="text-[15px]">Failed to load notifications</p>
          <Button variant="outline" size="small" onClick={() => void refetch()}>
            Try again
          </Button>
        </div>
      ) : (
        <div className="grid gap-3 px-3 py-4" role="status" aria-label="Loading notifications...">
          <Skeleton className="h-10" />
          <Skeleton className="h-10" />
          <Skeleton className="h-10" />
        </div>
      )}
      <Link
        className={buttonVariants({ variant: 'soft', size: 'small', full: true, className: 'mt-1.5 flex-none' })}
        to={paths.notifications}
        onClick={onLeave}
      >
        See all and manage e-mails
      </Link>
    </>
  );
}

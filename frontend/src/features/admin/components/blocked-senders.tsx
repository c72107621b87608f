import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { EmptyState, Loader } from '@/components/empty-state';
import { LoadFailure } from '@/components/load-failure';
import { LoadMore } from '@/components/load-more';
import { Button } from '@/components/ui/button';
import { Chip } from '@/components/ui/chip';
import { Dialog } from '@/components/ui/dialog';
import { dayOf } from '@/lib/dates';
import { reasonOf } from '@/lib/errors';
import { toast } from '@/lib/toast';
import { unblockSender } from '../report-mutations';
import { type BlockedSender, blockedQuery, REPORTS_KEY } from '../report-queries';

/** The accounts and guests that can't send enquiries or applications, with a button to unblock each. */
export function BlockedSenders({ onClose }: { onClose: () => void }) {
  const blocked = useInfiniteQuery({ ...blockedQuery, staleTime: 0 });
  const rows = blocked.data?.pages.flat() ?? [];
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Blocked senders"
      description="They can’t send enquiries or applications."
      wide
    >
      {blocked.isPending ? (
        <Loader label="Loading..." />
      ) : blocked.data === undefined ? (
        <LoadFailure inside title="Error loading data" error={blocked.error} retry={() => void blocked.refetch()} />
      ) : rows.length === 0 ? (
        <EmptyState title="No blocked senders" text="You can block a sender when you uphold a report." />
      ) : (
        <ul className="grid">
          {rows.map((row) => (
            <Row key={row.id} row={row} />
          ))}
        </ul>
      )}
      <LoadMore list={blocked} failed="Failed to load blocked senders" />
    </Dialog>
  );
}

function Row({ row }: { row: BlockedSender }) {
  const client = useQueryClient();
  const unblock = useMutation({
    mutationFn: () => unblockSender(row.id),
    onError: (error) => toast.error('The sender was not unblocked', { description: reasonOf(error) }),
    onSettled: () => client.invalidateQueries({ queryKey: REPORTS_KEY }),
  });
  return (
    <li className="flex flex-wrap items-start gap-x-4 gap-y-2 border-border not-first:border-t py-3.5">
      <div className="wrap-anywhere min-w-0 flex-1 basis-60">
        <p className="flex flex-wrap items-center gap-2 font-semibold">
          {row.name}
          {row.user_id ? null : (
            <Chip size="small" tone="quiet">
              Guest or former member
            </Chip>
          )}
        </p>
        <p className="whitespace-pre-line text-[15px]">{row.reason}</p>
        <p className="text-muted-foreground text-sm">
          {row.blocker}, {dayOf(row.created_at)}
        </p>
      </div>
      <Button variant="outline" size="small" busy={unblock.isPending} onClick={() => unblock.mutate()}>
        Unblock<span className="sr-only"> {row.name}</span>
      </Button>
    </li>
  );
}

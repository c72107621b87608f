import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { Check, Trash2 } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Link } from 'react-router';
import { toast } from 'sonner';
import { EmptyState } from '@/components/empty-state';
import { Avatar } from '@/components/picture';
import { AlertAction, AlertCancel, AlertDialog } from '@/components/ui/alert-dialog';
import { Button } from '@/components/ui/button';
import { VerificationBadge } from '@/components/verification-badge';
import { messageOf } from '@/lib/errors';
import { approve, remove } from '../mutations';
import { type AdminInfluencer, influencersQuery } from '../queries';

/** One list of influencers with what an admin may do to each. */
export function InfluencerTable({ approved }: { approved: boolean }) {
  const { data, isPending, isError, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    influencersQuery(approved),
  );
  const [deleting, setDeleting] = useState<AdminInfluencer>();
  useEffect(() => {
    if (isError) toast.error('Error loading data', { description: messageOf(error) });
  }, [isError, error]);

  if (isPending) return <TableSkeleton />;
  if (isError) {
    return (
      <EmptyState title="Error loading data" text={messageOf(error)}>
        <Button variant="outline" onClick={() => void refetch()}>
          Try again
        </Button>
      </EmptyState>
    );
  }
  const rows = data.pages.flatMap((page) => page.rows);
  if (rows.length === 0) {
    return approved ? (
      <EmptyState title="No influencers yet" text="Approved profiles appear here." />
    ) : (
      <EmptyState title="Nobody is waiting" text="New profiles appear here until they are approved." />
    );
  }
  return (
    <>
      <div className="card" style={{ overflow: 'hidden' }}>
        <table className="tbl">
          <caption className="sr">{approved ? 'Influencers' : 'Pre-Approved Accounts'}</caption>
          <thead>
            <tr>
              <th scope="col">Influencer</th>
              <th scope="col">E-mail</th>
              <th scope="col">Category</th>
              <th scope="col">Badge</th>
              <th scope="col" style={{ textAlign: 'right' }}>
                Actions
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <InfluencerRow key={row.id} row={row} onDelete={() => setDeleting(row)} />
            ))}
          </tbody>
        </table>
      </div>
      {hasNextPage ? (
        <div style={{ display: 'grid', placeItems: 'center', marginTop: 24 }}>
          <Button variant="outline" busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            Load More
          </Button>
        </div>
      ) : null}
      {deleting ? <DeleteDialog row={deleting} onDone={() => setDeleting(undefined)} /> : null}
    </>
  );
}

function InfluencerRow({ row, onDelete }: { row: AdminInfluencer; onDelete: () => void }) {
  const client = useQueryClient();
  const accept = useMutation({
    mutationFn: () => approve(row.id),
    onSuccess: () => toast.success('Influencer account approved'),
    onError: (error) => toast.error('Error', { description: messageOf(error) }),
    onSettled: () => client.invalidateQueries({ queryKey: ['admin', 'influencers'] }),
  });
  return (
    <tr>
      <td>
        <div className="row">
          <Avatar id={row.id} name={row.name} src={row.profile_image} size={44} />
          <div style={{ minWidth: 0 }}>
            <Link to={`/profile/${row.id}`} style={{ display: 'block', fontWeight: 600, lineHeight: '20px' }}>
              {row.name}
            </Link>
            <span className="sm muted">@{row.username}</span>
          </div>
        </div>
      </td>
      <td data-l="E-mail" className="sm">
        {row.profiles?.email ?? '-'}
      </td>
      <td data-l="Category">
        <span className="chip" style={{ height: 28 }}>
          {row.category}
        </span>
      </td>
      <td data-l="Badge">
        {row.badge_type === 'none' ? (
          <span className="sm muted">None</span>
        ) : (
          <VerificationBadge type={row.badge_type} size={24} />
        )}
      </td>
      <td>
        <div className="row" style={{ justifyContent: 'flex-end', gap: 6 }}>
          {row.approved ? null : (
            <Button
              variant="softp"
              size="small"
              busy={accept.isPending}
              onClick={() => accept.mutate()}
              aria-label={`Approve ${row.name}`}
            >
              <Check className="i" aria-hidden="true" />
              Approve
            </Button>
          )}
          <Button variant="ghost" size="small" asChild>
            <Link to={`/admin/influencer/${row.id}`}>Manage</Link>
          </Button>
          <button type="button" className="ib s remove" aria-label={`Delete ${row.name}`} onClick={onDelete}>
            <Trash2 className="i i18" aria-hidden="true" />
          </button>
        </div>
      </td>
    </tr>
  );
}

function DeleteDialog({ row, onDone }: { row: AdminInfluencer; onDone: () => void }) {
  const client = useQueryClient();
  const erase = useMutation({
    mutationFn: () => remove(row.id),
    onSuccess: () => toast.success('Influencer profile deleted'),
    onError: (error) => toast.error('Error', { description: messageOf(error) }),
    onSettled: () => {
      onDone();
      return client.invalidateQueries({ queryKey: ['admin', 'influencers'] });
    },
  });
  return (
    <AlertDialog
      open
      onOpenChange={(open) => !open && onDone()}
      title="Delete this profile?"
      description={<p>{row.name}'s profile, photos and services are removed permanently. This can't be undone.</p>}
    >
      <AlertCancel className="btn outline">Cancel</AlertCancel>
      <AlertAction
        className="btn danger"
        disabled={erase.isPending}
        onClick={(event) => {
          // The dialog stays until the answer is there.
          event.preventDefault();
          erase.mutate();
        }}
      >
        <Trash2 className="i" aria-hidden="true" />
        Delete profile
      </AlertAction>
    </AlertDialog>
  );
}

function TableSkeleton() {
  return (
    <div className="card pad stack" role="status">
      <span className="sr">Loading influencers...</span>
      {['a', 'b', 'c', 'd', 'e'].map((key) => (
        <span key={key} className="sk" style={{ height: 44 }} />
      ))}
    </div>
  );
}

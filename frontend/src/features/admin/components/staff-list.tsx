import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Crown, KeyRound, ShieldCheck, Trash2 } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useSearchParams } from 'react-router';
import { useSession } from '@/app/session';
import { EmptyState } from '@/components/empty-state';
import { LoadFailure } from '@/components/load-failure';
import { Avatar } from '@/components/picture';
import { Button } from '@/components/ui/button';
import { Chip } from '@/components/ui/chip';
import { Table, TableCard, TableCell, TableHead, TableRow } from '@/components/ui/table';
import { dayOf } from '@/lib/dates';
import { messageOf, reasonOf } from '@/lib/errors';
import { toast } from '@/lib/toast';
import { LIST_ADDRESS } from '../lists';
import { LIVE } from '../live';
import { Conflict, removeAdmin, resetFactor } from '../mutations';
import type { RowPage } from '../queries';

import { STAFF_KEY, type StaffRow, staffQuery } from '../staff-queries';
import { TableSkeleton } from './list-states';
import { Pager } from './pager';

/** Lists admins and superadmins. Only superadmins can delete. */
export function StaffList({ editable = false }: { editable?: boolean }) {
  const [params, setParams] = useSearchParams();
  const { page } = LIST_ADDRESS.read(params);
  const { data, isPending, isError, error, refetch } = useQuery({ ...staffQuery(page, editable), ...LIVE });
  const removal = useRemoval();
  const reset = useReset();
  useEffect(() => {
    if (isError) toast.error('Failed to fetch admin users', { description: messageOf(error), id: 'staff' });
  }, [isError, error]);

  if (isPending) return <TableSkeleton label="Loading admin users..." />;
  if (!data) {
    return <LoadFailure inside title="Failed to fetch admin users" error={error} retry={() => void refetch()} />;
  }
  const rows = data.rows.filter((row) => !removal.going.has(row.userId));
  if (rows.length === 0) return <EmptyState title="No admin users" />;
  const superadmins = data.rows.filter((row) => row.role === 'superadmin').length;
  return (
    <>
      <TableCard>
        <Table>
          <caption className="sr-only">Admins</caption>
          <thead>
            <TableRow>
              <TableHead>Admin</TableHead>
              <TableHead>Role</TableHead>
              {editable ? (
                <>
                  <TableHead>Since</TableHead>
                  <TableHead align="right">Actions</TableHead>
                </>
              ) : null}
            </TableRow>
          </thead>
          <tbody>
            {rows.map((row) => (
              <StaffRowView
                key={`${row.userId} ${row.role}`}
                row={row}
                editable={editable}
                isLast={superadmins === 1 && data.total <= data.rows.length}
                onDelete={() => removal.ask(row)}
                onReset={() => reset.ask(row)}
              />
            ))}
          </tbody>
        </Table>
      </TableCard>
      {editable ? (
        <p className="mt-3.5 text-muted-foreground text-sm">
          Deleting removes the role. The last super admin can't be deleted.
        </p>
      ) : null}
      <Pager
        page={page}
        total={data.total}
        onPage={(next) => setParams((now) => LIST_ADDRESS.write({ ...LIST_ADDRESS.read(now), page: next }, now))}
      />
    </>
  );
}

function StaffRowView(props: {
  row: StaffRow;
  editable: boolean;
  isLast: boolean;
  onDelete: () => void;
  onReset: () => void;
}) {
  const { row, editable } = props;
  const self = useSession().account?.id === row.userId;
  return (
    <TableRow>
      <TableCell>
        <div className="flex items-center gap-3">
          <Avatar id={row.userId} name={row.email} src={null} size={44} />
          <div className="wrap-anywhere min-w-0 *:block *:leading-5">
            <b className="font-semibold">{row.email}</b>
            {self ? <span className="text-muted-foreground text-sm">You</span> : null}
          </div>
        </div>
      </TableCell>
      <TableCell label="Role">
        <RoleChip role={row.role} />
        {row.hasFactor ? (
          <Chip tone="green" className="ml-1.5">
            Second factor
          </Chip>
        ) : null}
      </TableCell>
      {editable ? (
        <>
          <TableCell label="Since" className="tabular-nums">
            {row.since ? dayOf(row.since) : '-'}
          </TableCell>
          <TableCell>
            <div className="flex items-center justify-end gap-1.5 *:relative *:z-1 max-sm:flex-wrap max-sm:pt-2">
              {self ? (
                <span className="text-muted-foreground text-sm">
                  {props.isLast ? "The last super admin can't be deleted" : 'Only another super admin can remove you'}
                </span>
              ) : (
                <>
                  {row.hasFactor ? (
                    <Button
                      variant="ghost"
                      size="small"
                      aria-label={`Reset the second factor of ${row.email}`}
                      onClick={props.onReset}
                    >
                      <KeyRound aria-hidden="true" />
                      Reset factor
                    </Button>
                  ) : null}
                  <Button
                    variant="dangerghost"
                    size="small"
                    aria-label={`Delete ${row.email}`}
                    onClick={props.onDelete}
                  >
                    <Trash2 aria-hidden="true" />
                    Delete
                  </Button>
                </>
              )}
            </div>
          </TableCell>
        </>
      ) : null}
    </TableRow>
  );
}

export function RoleChip({ role }: { role: StaffRow['role'] }) {
  return role === 'superadmin' ? (
    <Chip tone="amber" className="max-w-full">
      <Crown aria-hidden="true" />
      Super Admin
    </Chip>
  ) : (
    <Chip className="max-w-full">
      <ShieldCheck aria-hidden="true" />
      Admin
    </Chip>
  );
}

/** Resets the factor after the browser's confirm dialog. */
function useReset() {
  const client = useQueryClient();
  const reset = useMutation({
    mutationFn: (row: StaffRow) => resetFactor(row.userId),
    onSuccess: (_, row) =>
      toast.success('Second factor reset', { description: `${row.email} was notified by e-mail.` }),
    onError: (error) => toast.error('Error', { description: reasonOf(error) }),
    onSettled: () => client.invalidateQueries({ queryKey: STAFF_KEY }),
  });
  return {
    ask: (row: StaffRow) => {
      const question = `Reset the second factor of ${row.email}? They are signed out and can sign in with their password alone.`;
      if (window.confirm(question)) reset.mutate(row);
    },
  };
}

/** Asks with the browser's confirm dialog. The row disappears immediately and comes back if the request fails. */
function useRemoval() {
  const client = useQueryClient();
  const { refresh } = useSession();
  const [going, setGoing] = useState<ReadonlySet<string>>(new Set());
  const mark = (id: string, on: boolean) =>
    setGoing((now) => new Set(on ? [...now, id] : [...now].filter((other) => other !== id)));
  const takeOut = (id: string) =>
    client.setQueriesData<RowPage<StaffRow>>({ queryKey: STAFF_KEY }, (now) => {
      if (!now) return now;
      const rows = now.rows.filter((row) => row.userId !== id);
      return { rows, total: now.total - (now.rows.length - rows.length) };
    });
  const removal = useMutation({
    mutationFn: (row: StaffRow) => removeAdmin(row.userId),
    onMutate: (row) => mark(row.userId, true),
    onSuccess: (_, row) => {
      takeOut(row.userId);
      toast.success('Admin user deleted successfully');
    },
    onError: (error, row) => {
      if (error instanceof Conflict) takeOut(row.userId);
      toast.error('Error', { description: reasonOf(error) });
      void refresh();
    },
    onSettled: async (_, __, row) => {
      await client.invalidateQueries({ queryKey: ['admin'] });
      mark(row.userId, false);
    },
  });
  return {
    going,
    ask: (row: StaffRow) => {
      if (window.confirm('Are you sure you want to delete this admin user?')) removal.mutate(row);
    },
  };
}

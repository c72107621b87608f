import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { DatabaseBackup } from 'lucide-react';
import { useEffect } from 'react';
import { useSearchParams } from 'react-router';
import { EmptyState } from '@/components/empty-state';
import { LoadFailure } from '@/components/load-failure';
import { Button } from '@/components/ui/button';
import { messageOf } from '@/lib/errors';
import { toast } from '@/lib/toast';
import { BACKUPS_KEY, backupsQuery, intervalOf, type NamedBackup, requestBackup } from '../backup-queries';
import { isOpen } from '../backups';
import { healthQuery } from '../health-queries';
import { LIST_ADDRESS } from '../lists';
import type { RowPage } from '../queries';
import { BackToPanel } from './back-to-panel';
import { BackupList } from './backup-list';
import { BackupProgress, BackupSummary, NotSetUp } from './backup-summary';
import { TableSkeleton } from './list-states';
import { Pager } from './pager';

export function BackupsPage() {
  const [params, setParams] = useSearchParams();
  const { page } = LIST_ADDRESS.read(params);
  const refetchInterval = ({ state }: { state: { data?: RowPage<NamedBackup> } }) => intervalOf(state.data?.rows);
  const backups = useQuery({ ...backupsQuery(page), refetchInterval });
  const newest = useQuery({ ...backupsQuery(1), refetchInterval }).data?.rows ?? [];
  const health = useQuery(healthQuery);
  const open = newest.find(isOpen);
  const state = health.data?.backups;
  const error = backups.error ?? health.error;
  useNewsOf(newest.at(0)?.id, open === undefined);
  return (
    <>
      <BackToPanel />
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-4 pt-2 pb-5">
        <div>
          <h1 className="text-[34px] leading-[1.08]">Backups</h1>
          <p className="mt-2 max-w-[76ch] text-[16px] text-muted-foreground">
            Copies of the database and the images. To restore one, follow docs/operate.md on the server.
          </p>
        </div>
        {state?.service?.running ? <BackUpNow busy={open !== undefined} /> : null}
      </div>
      {backups.isPending || health.isPending ? (
        <TableSkeleton label="Loading backups..." />
      ) : !backups.data || !state ? (
        <LoadFailure
          inside
          title="Error loading data"
          error={error}
          retry={() => void Promise.all([backups.refetch(), health.refetch()])}
        />
      ) : (
        <div className="grid gap-4">
          {open ? <BackupProgress row={open} /> : null}
          {state.service ? (
            <BackupSummary service={state.service} last={state.last} now={health.dataUpdatedAt} />
          ) : (
            <NotSetUp />
          )}
          {backups.data.rows.length > 0 ? (
            <BackupList rows={backups.data.rows} busy={backups.isPlaceholderData} />
          ) : state.service ? (
            <EmptyState title="No backups yet" text="The first one appears here as soon as it starts." />
          ) : null}
          <Pager
            page={page}
            total={backups.data.total}
            onPage={(next) => setParams((now) => LIST_ADDRESS.write({ ...LIST_ADDRESS.read(now), page: next }, now))}
          />
        </div>
      )}
    </>
  );
}

/** The state above the list changes when a backup begins or ends. */
function useNewsOf(newest: string | undefined, idle: boolean) {
  const client = useQueryClient();
  // biome-ignore lint/correctness/useExhaustiveDependencies: asks again when one of them changes
  useEffect(() => {
    void client.invalidateQueries({ queryKey: healthQuery.queryKey });
  }, [client, newest, idle]);
}

function BackUpNow({ busy }: { busy: boolean }) {
  const client = useQueryClient();
  const request = useMutation({
    mutationFn: requestBackup,
    onError: (error) => toast.error('The backup was not requested', { description: messageOf(error) }),
    onSettled: () => client.invalidateQueries({ queryKey: BACKUPS_KEY }),
  });
  return (
    <Button busy={busy || request.isPending} onClick={() => request.mutate()}>
      {busy || request.isPending ? null : <DatabaseBackup aria-hidden="true" />}
      {busy ? 'Backing up' : 'Back up now'}
    </Button>
  );
}

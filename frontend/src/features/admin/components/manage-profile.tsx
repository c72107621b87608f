import { useQuery } from '@tanstack/react-query';
import { ArrowLeft } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Link, useLocation } from 'react-router';
import { EmptyState, Loader } from '@/components/empty-state';
import { LoadFailure } from '@/components/load-failure';
import { buttonVariants } from '@/components/ui/button';
import { messageOf } from '@/lib/errors';
import { paths } from '@/lib/paths';
import { toast } from '@/lib/toast';
import type { Kind } from '../lists';
import { recordQuery } from '../record-queries';
import { IdentityCard } from './identity-card';
import { ModerationEditor } from './moderation-editor';

const TABS: Record<Kind, string> = {
  influencer: `${paths.admin}?tab=influencers`,
  agency: `${paths.admin}?tab=agencies`,
  vendor: `${paths.admin}?tab=vendors`,
};

/** The URL of the list that led here, including its filters. */
function useWayBack(kind: Kind): string {
  const { state } = useLocation();
  const from: unknown = state && typeof state === 'object' && 'from' in state ? state.from : undefined;
  const known = typeof from === 'string' && (from.startsWith(paths.admin) || from.startsWith(paths.superadmin));
  return known ? from : TABS[kind];
}

export function ManageProfile({ kind, id }: { kind: Kind; id: string }) {
  const back = useWayBack(kind);
  const [visit, setVisit] = useState(0);
  const { data, isPending, isError, error, refetch } = useQuery({ ...recordQuery(kind, id), gcTime: 0 });
  useEffect(() => {
    if (isError) toast.error('Error loading data', { description: messageOf(error), id: `record ${id}` });
  }, [isError, error, id]);
  /** Discards the changes made here and shows the stored profile. */
  const reload = async () => {
    await refetch();
    setVisit((now) => now + 1);
  };
  return (
    <>
      <Link className={buttonVariants({ variant: 'ghost', size: 'small', className: 'mt-5 -ml-3' })} to={back}>
        <ArrowLeft aria-hidden="true" />
        {back.startsWith(paths.superadmin) ? 'Back to super admin panel' : 'Back to admin'}
      </Link>
      {isPending ? (
        <Loader label="Loading..." />
      ) : data === undefined ? (
        <LoadFailure inside title="Error loading data" error={error} retry={() => void refetch()} />
      ) : data === null ? (
        <EmptyState
          level="h1"
          title="This profile no longer exists"
          text="It was deleted, or the link is incomplete."
        />
      ) : (
        <div className="mt-3 grid gap-5 *:min-w-0 lg:grid-cols-[340px_minmax(0,1fr)] lg:gap-7">
          <IdentityCard kind={kind} row={data} />
          <ModerationEditor key={visit} kind={kind} row={data} back={back} onReload={reload} />
        </div>
      )}
    </>
  );
}

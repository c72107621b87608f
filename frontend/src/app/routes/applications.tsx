import { useQuery } from '@tanstack/react-query';
import { Navigate } from 'react-router';
import { useSession } from '@/app/session';
import { EmptyState, Loader } from '@/components/empty-state';
import { LoadFailure } from '@/components/load-failure';
import { ApplicationList } from '@/features/applications/components/application-list';
import { ownInfluencerQuery } from '@/features/applications/queries';
import { usePageTitle } from '@/hooks/use-page-title';
import { paths } from '@/lib/paths';

/** An influencer's own applications, also for one who may no longer see gigs. */
export default function ApplicationsPage() {
  usePageTitle('Your applications');
  const { status, account } = useSession();
  const own = useQuery({ ...ownInfluencerQuery(account?.id ?? ''), enabled: Boolean(account) });
  if (status === 'out') return <Navigate to={paths.auth} replace />;
  if (own.isError) return <LoadFailure title="Failed to load applications" error={own.error} retry={own.refetch} />;
  if (!account || own.isPending) return <Loader label="Loading applications..." />;
  return (
    <main className="wrap wrap-anywhere pb-10">
      <div className="pt-10 pb-6">
        <h1 className="text-[34px] leading-[1.08] lg:text-[44px]">Your applications</h1>
        <p className="mt-2 text-[17px] text-muted-foreground">The gigs you applied for, newest first.</p>
      </div>
      {own.data ? (
        <ApplicationList influencerId={own.data} />
      ) : (
        <EmptyState
          title="No applications"
          text="Influencers with a profile apply for gigs, and see the answers here."
        />
      )}
    </main>
  );
}

import { useQuery } from '@tanstack/react-query';
import { Link, Navigate, useParams } from 'react-router';
import { useSession } from '@/app/session';
import { EmptyState, Loader } from '@/components/empty-state';
import { LoadFailure } from '@/components/load-failure';
import { buttonVariants } from '@/components/ui/button';
import { Applicants } from '@/features/applications/components/applicants';
import { gigDetailsQuery } from '@/features/applications/queries';
import { useFailureToast } from '@/hooks/use-failure-toast';
import { usePageTitle } from '@/hooks/use-page-title';
import { paths } from '@/lib/paths';

/** For the agency that posted the gig. */
export default function ApplicantsPage() {
  const { id = '' } = useParams();
  const { status, account, dashboardPath } = useSession();
  const {
    data: gig,
    isPending,
    isError,
    error,
    refetch,
  } = useQuery({
    ...gigDetailsQuery(id),
    enabled: Boolean(account),
  });
  usePageTitle(gig ? `Applicants for ${gig.title}` : 'Applicants');
  useFailureToast(isError, 'Failed to load applicants');
  if (status === 'out') return <Navigate to={paths.agencyAuth} replace />;
  if (isError) return <LoadFailure title="Failed to load applicants" error={error} retry={refetch} />;
  if (!account || isPending) return <Loader label="Loading applicants..." />;
  if (gig?.agencies?.user_id === account.id) return <Applicants gig={gig} />;
  return (
    <main className="wrap pt-10">
      <EmptyState level="h1" title="No such gig of yours" text="The gig was removed, or another agency posted it.">
        <Link className={buttonVariants()} to={dashboardPath ?? paths.home}>
          {dashboardPath ? 'Go to Dashboard' : 'Return to Home'}
        </Link>
      </EmptyState>
    </main>
  );
}

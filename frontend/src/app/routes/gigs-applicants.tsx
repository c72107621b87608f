import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'react-router';
import { useSession } from '@/app/session';
import { EmptyState, Loader } from '@/components/empty-state';
import { LoadFailure } from '@/components/load-failure';
import { SignedIn } from '@/components/signed-in';
import { buttonVariants } from '@/components/ui/button';
import { Applicants } from '@/features/applications/components/applicants';
import { gigDetailsQuery } from '@/features/applications/queries';
import { useFailureToast } from '@/hooks/use-failure-toast';
import { usePageTitle } from '@/hooks/use-page-title';
import { paths } from '@/lib/paths';

/** For the agency that posted the gig. */
export default function ApplicantsPage() {
  const { id = '' } = useParams();
  return <SignedIn to="see the applicants">{(userId) => <OwnGig key={id} userId={userId} id={id} />}</SignedIn>;
}

function OwnGig({ userId, id }: { userId: string; id: string }) {
  const { dashboardPath } = useSession();
  const { data: gig, isPending, isError, error, refetch } = useQuery(gigDetailsQuery(id));
  usePageTitle(gig ? `Applicants for ${gig.title}` : 'Applicants');
  useFailureToast(isError, 'Failed to load applicants');
  if (isError) return <LoadFailure title="Failed to load applicants" error={error} retry={refetch} />;
  if (isPending) return <Loader label="Loading applicants..." />;
  if (gig?.agencies?.user_id === userId) return <Applicants gig={gig} />;
  return (
    <main className="wrap pt-10">
      <EmptyState level="h1" title="Gig not found" text="The gig was removed, or another agency posted it.">
        <Link className={buttonVariants()} to={dashboardPath ?? paths.home}>
          {dashboardPath ? 'Go to Dashboard' : 'Return to Home'}
        </Link>
      </EmptyState>
    </main>
  );
}

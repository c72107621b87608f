import { useQuery } from '@tanstack/react-query';
import { ArrowLeft } from 'lucide-react';
import { Link, useParams } from 'react-router';
import { EmptyState, Loader } from '@/components/empty-state';
import { StructuredData } from '@/components/structured-data';
import { buttonVariants } from '@/components/ui/button';
import { agencyQuery } from '@/features/agencies/agency-profile-queries';
import { AgencyProfile } from '@/features/agencies/components/agency-profile';
import { organization } from '@/features/agencies/structured-data';
import { ReportLink } from '@/features/reports/components/report-link';
import { reviewsOf } from '@/features/reviews/components/profile-reviews';
import { useFailureToast } from '@/hooks/use-failure-toast';
import { usePageTitle } from '@/hooks/use-page-title';
import { paths } from '@/lib/paths';

export default function AgencyPage() {
  const { id = '' } = useParams();
  const { data: agency, isPending, isError } = useQuery(agencyQuery(id));
  usePageTitle(agency?.name ?? 'Agency');
  useFailureToast(isError, 'Failed to load agency profile');

  if (isPending) return <Loader label="Loading agency..." />;
  // A failed load also ends here, as specified; the toast tells them apart.
  if (!agency) {
    return (
      <main className="wrap pt-10">
        <EmptyState level="h1" title="Agency Not Found" text="The profile may have been removed.">
          <Link className={buttonVariants()} to={paths.home}>
            Return Home
          </Link>
        </EmptyState>
      </main>
    );
  }
  return (
    <main className="wrap wrap-anywhere pt-5">
      <Link
        className={buttonVariants({ variant: 'ghost', size: 'small', className: '-ml-3 print:hidden' })}
        to={paths.home}
      >
        <ArrowLeft aria-hidden="true" />
        Back to Agencies
      </Link>
      <AgencyProfile agency={agency} reviews={reviewsOf('agency', agency)} />
      <ReportLink kind="agency" id={id} name={agency.name ?? ''} className="mt-8 -ml-3" />
      <StructuredData data={organization(agency, window.location.origin)} />
    </main>
  );
}

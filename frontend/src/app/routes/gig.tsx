import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Link, useLocation, useNavigate, useParams } from 'react-router';
import { useSession } from '@/app/session';
import { EmptyState, Loader } from '@/components/empty-state';
import { LoadFailure } from '@/components/load-failure';
import { buttonVariants } from '@/components/ui/button';
import { GigView } from '@/features/applications/components/gig-view';
import { gigDetailsQuery } from '@/features/applications/queries';
import { GigsGate } from '@/features/gigs/components/gigs-gate';
import { admissionQuery } from '@/features/gigs/queries';
import { useFailureToast } from '@/hooks/use-failure-toast';
import { usePageTitle } from '@/hooks/use-page-title';
import { paths } from '@/lib/paths';
import { keepReturn } from '@/lib/return-to';
import { toast } from '@/lib/toast';

/** For influencers with access to gigs, admins, and the agency that posted it. */
export default function GigPage() {
  const { id = '' } = useParams();
  const { status, account, roles, dashboardPath } = useSession();
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const admission = useQuery({ ...admissionQuery(account?.id ?? ''), enabled: Boolean(account) });
  const gig = useQuery({ ...gigDetailsQuery(id), enabled: Boolean(account) });
  usePageTitle(gig.data?.title ?? 'Gig');
  const error = gig.error ?? admission.error;
  useFailureToast(Boolean(error), 'Failed to load gig');
  useEffect(() => {
    if (status !== 'out') return;
    toast.error('Please log in to view gigs', { id: 'gigs-need-login' });
    keepReturn(pathname);
    navigate(paths.auth, { replace: true });
  }, [status, pathname, navigate]);

  if (error && !gig.data) {
    return (
      <LoadFailure
        title="Failed to load gig"
        error={error}
        retry={() => void Promise.all([gig.refetch(), admission.refetch()])}
      />
    );
  }
  if (!account || gig.isPending || admission.isPending) return <Loader label="Loading gig..." />;
  if (gig.data) return <GigView gig={gig.data} userId={account.id} applies={Boolean(admission.data)} />;
  const seesAll = admission.data || roles.includes('admin') || roles.includes('superadmin');
  if (!seesAll) return <GigsGate roles={roles} dashboardPath={dashboardPath} />;
  return (
    <main className="wrap pt-10">
      <EmptyState
        level="h1"
        title="This gig was removed"
        text="If you applied for it, you can still see your application."
      >
        <Link className={buttonVariants()} to={paths.gigs}>
          See other gigs
        </Link>
        <Link className={buttonVariants({ variant: 'outline' })} to={paths.applications}>
          Your applications
        </Link>
      </EmptyState>
    </main>
  );
}

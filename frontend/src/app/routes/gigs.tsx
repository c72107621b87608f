import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Link, useNavigate } from 'react-router';
import { useSession } from '@/app/session';
import { LoadFailure } from '@/components/load-failure';
import { NeverPay } from '@/components/never-pay';
import { buttonVariants } from '@/components/ui/button';
import { GigList, GigSkeletons } from '@/features/gigs/components/gig-list';
import { GigsGate } from '@/features/gigs/components/gigs-gate';
import { admissionQuery } from '@/features/gigs/queries';
import { useFailureToast } from '@/hooks/use-failure-toast';
import { paths } from '@/lib/paths';
import { toast } from '@/lib/toast';

/** For approved and verified influencers only; the database also hides the rows from everyone else. */
export default function GigsPage() {
  const { status, account, roles, dashboardPath } = useSession();
  const navigate = useNavigate();
  const admission = useQuery({ ...admissionQuery(account?.id ?? ''), enabled: Boolean(account) });
  useFailureToast(admission.isError, 'Failed to load gigs');
  useEffect(() => {
    if (status !== 'out') return;
    toast.error('Please log in to view gigs', { id: 'gigs-need-login' });
    navigate(paths.auth, { replace: true });
  }, [status, navigate]);

  if (admission.isError) {
    return <LoadFailure title="Failed to load gigs" error={admission.error} retry={admission.refetch} />;
  }
  if (admission.data === false) return <GigsGate roles={roles} dashboardPath={dashboardPath} />;
  return (
    <main className="wrap wrap-anywhere">
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-4 pt-10 pb-6">
        <div>
          <h1 className="text-[34px] leading-[1.08] lg:text-[44px]">Available Gigs</h1>
          <p className="mt-2 text-[17px] text-muted-foreground">
            Browse and apply to gigs posted by marketing agencies
          </p>
        </div>
        {admission.data ? (
          <Link className={buttonVariants({ variant: 'outline' })} to={paths.applications}>
            Your applications
          </Link>
        ) : null}
      </div>
      <NeverPay className="mb-6 max-w-[76ch]" />
      {admission.data ? <GigList /> : <GigSkeletons />}
    </main>
  );
}

import { useQuery } from '@tanstack/react-query';
import { ArrowLeft } from 'lucide-react';
import { Link, useParams } from 'react-router';
import { EmptyState } from '@/components/empty-state';
import { LoadFailure } from '@/components/load-failure';
import { StructuredData } from '@/components/structured-data';
import { buttonVariants } from '@/components/ui/button';
import { useFavorites } from '@/features/favorites/use-favorites';
import { ProfileSkeleton } from '@/features/influencers/components/profile-skeleton';
import { ProfileView } from '@/features/influencers/components/profile-view';
import { TooSmall } from '@/features/influencers/components/too-small';
import { profileQuery } from '@/features/influencers/queries';
import { profilePage } from '@/features/influencers/structured-data';
import { ReportLink } from '@/features/reports/components/report-link';
import { reviewsOf } from '@/features/reviews/components/profile-reviews';
import { useFailureToast } from '@/hooks/use-failure-toast';
import { usePageTitle } from '@/hooks/use-page-title';
import { useWideScreen } from '@/hooks/use-wide-screen';
import { paths } from '@/lib/paths';

const FAILED = 'Failed to load influencer profile.';

export default function ProfilePage() {
  const { id = '' } = useParams();
  const { data: influencer, isError, error, refetch } = useQuery(profileQuery(id));
  const { ids, toggle } = useFavorites();
  const wide = useWideScreen();
  usePageTitle(influencer?.name ?? 'Influencer');
  useFailureToast(isError, FAILED);

  if (isError) return <LoadFailure title={FAILED} error={error} retry={refetch} />;
  if (influencer === null) {
    return (
      <main className="wrap pt-10">
        <EmptyState
          level="h1"
          title="Influencer not found"
          text="The profile may have been removed, or is not public yet."
        >
          <Link className={buttonVariants()} to={paths.home}>
            Back to Explore
          </Link>
        </EmptyState>
      </main>
    );
  }
  const saving = { saved: ids?.includes(id) ?? false, busy: !ids, toggle: () => toggle(id) };
  return (
    <main className="wrap-anywhere" aria-busy={!influencer}>
      {wide ? (
        <div className="wrap pt-6 not-print:max-lg:hidden">
          <Link
            className={buttonVariants({ variant: 'ghost', size: 'small', className: '-ml-3 print:hidden' })}
            to={paths.home}
          >
            <ArrowLeft aria-hidden="true" />
            Back to Explore
          </Link>
          {influencer ? (
            <ProfileView influencer={influencer} saving={saving} reviews={reviewsOf('influencer', influencer)} />
          ) : (
            <ProfileSkeleton />
          )}
        </div>
      ) : null}
      <p className="sr-only" role="status">
        {influencer ? '' : 'Loading profile...'}
      </p>
      <TooSmall influencer={influencer} saving={saving} onPaper={!wide} />
      {influencer ? (
        <div className="wrap pt-4 max-lg:text-center">
          <ReportLink kind="influencer" id={id} name={influencer.name ?? ''} className="lg:-ml-3" />
        </div>
      ) : null}
      {influencer ? <StructuredData data={profilePage(influencer, window.location.origin)} /> : null}
    </main>
  );
}

import { useQuery } from '@tanstack/react-query';
import { ArrowLeft } from 'lucide-react';
import { Link, useParams } from 'react-router';
import { EmptyState } from '@/components/empty-state';
import { LoadFailure } from '@/components/load-failure';
import { useFavorites } from '@/features/favorites/use-favorites';
import { ProfileSkeleton } from '@/features/influencers/components/profile-skeleton';
import { ProfileView } from '@/features/influencers/components/profile-view';
import { TooSmall } from '@/features/influencers/components/too-small';
import { profileQuery } from '@/features/influencers/queries';
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
      <main className="wrap" style={{ paddingTop: 40 }}>
        <EmptyState
          level="h1"
          title="Influencer not found"
          text="The profile may have been removed, or is not public yet."
        >
          <Link className="btn primary" to={paths.home}>
            Back to Explore
          </Link>
        </EmptyState>
      </main>
    );
  }
  const saving = { saved: ids?.includes(id) ?? false, busy: !ids, toggle: () => toggle(id) };
  return (
    <main aria-busy={!influencer}>
      {wide ? (
        <div className="wrap d-only" style={{ paddingTop: 24 }}>
          <Link className="btn ghost s back-link" to={paths.home}>
            <ArrowLeft className="i" aria-hidden="true" />
            Back to Explore
          </Link>
          {influencer ? <ProfileView influencer={influencer} saving={saving} /> : <ProfileSkeleton />}
        </div>
      ) : null}
      <p className="sr" role="status">
        {influencer ? '' : 'Loading profile...'}
      </p>
      <TooSmall influencer={influencer} />
    </main>
  );
}

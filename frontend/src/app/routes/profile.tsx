import { useQuery } from '@tanstack/react-query';
import { ArrowLeft, Laptop, Link2 } from 'lucide-react';
import { useEffect } from 'react';
import { Link, useParams } from 'react-router';
import { toast } from 'sonner';
import { useSession } from '@/app/session';
import { EmptyState, Loader } from '@/components/empty-state';
import { useFavourite } from '@/features/favourites/use-favourite';
import { ProfileView } from '@/features/influencers/components/profile-view';
import { profileQuery } from '@/features/influencers/queries';
import { usePageTitle } from '@/hooks/use-page-title';
import { paths } from '@/lib/paths';

export default function ProfilePage() {
  const { id = '' } = useParams();
  const { account } = useSession();
  const { data: influencer, isPending, isError, refetch } = useQuery(profileQuery(id));
  const saving = useFavourite(account?.id, id);
  usePageTitle(influencer?.name ?? 'Influencer');
  useEffect(() => {
    if (isError) toast.error('Error', { description: 'Failed to load influencer profile.' });
  }, [isError]);

  if (isPending) return <Loader label="Loading profile..." />;
  if (isError) {
    return (
      <EmptyState level="h1" title="Failed to load influencer profile." text="Your connection may be down.">
        <button type="button" className="btn primary" onClick={() => void refetch()}>
          Try again
        </button>
      </EmptyState>
    );
  }
  if (!influencer) {
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
  return (
    <main>
      <div className="wrap d-only" style={{ paddingTop: 24 }}>
        <Link className="btn ghost s" to={paths.home} style={{ marginLeft: -12 }}>
          <ArrowLeft className="i" aria-hidden="true" />
          Back to Explore
        </Link>
        <ProfileView influencer={influencer} saving={saving} />
      </div>
      <TooSmall />
    </main>
  );
}

/** The profile is laid out for large screens only, as specified. */
function TooSmall() {
  async function copy() {
    try {
      await navigator.clipboard.writeText(window.location.href);
      toast.success('Link copied!', { description: 'Profile link has been copied to clipboard.' });
    } catch {
      toast.error('Share failed', { description: 'Unable to share this profile.' });
    }
  }
  return (
    <section className="wrap l-hide too-small">
      <Laptop className="too-small-art" aria-hidden="true" />
      <h1>Screen Size Too Small</h1>
      <p className="muted">
        This profile is laid out for larger screens. Please open it on a desktop to see the full page.
      </p>
      <button type="button" className="btn primary full lg" onClick={() => void copy()}>
        <Link2 className="i" aria-hidden="true" />
        Copy profile link
      </button>
      <Link className="btn ghost full" to={paths.home}>
        Back to Explore
      </Link>
    </section>
  );
}

import { useQuery } from '@tanstack/react-query';
import { ArrowLeft } from 'lucide-react';
import { Link, useParams, useSearchParams } from 'react-router';
import { useSession } from '@/app/session';
import { EmptyState, Loader } from '@/components/empty-state';
import { LoadFailure } from '@/components/load-failure';
import { buttonVariants } from '@/components/ui/button';
import { BriefPage } from '@/features/enquiries/components/brief-page';
import { MOST_RECIPIENTS, recipientsQuery } from '@/features/enquiries/queries';
import { usePageTitle } from '@/hooks/use-page-title';
import { paths } from '@/lib/paths';
import { mayBeSignedIn } from '@/lib/stored-session';

const FAILED = 'Failed to load the profiles';

/** Writes to one influencer (`/profile/:id/enquire`), or to several of the favorites (`/enquire?to=…`). */
export default function EnquirePage() {
  const { id } = useParams();
  const [query] = useSearchParams();
  const ids = id ? [id] : (query.get('to') ?? '').split(',').filter(Boolean).slice(0, MOST_RECIPIENTS);
  const { status, account } = useSession();
  const { data, isError, error, refetch } = useQuery({ ...recipientsQuery(ids), enabled: ids.length > 0 });
  usePageTitle(id ? 'Enquire' : 'One brief to all');
  const back = id ? paths.profile(id) : paths.favorites;

  if (isError) return <LoadFailure title={FAILED} error={error} retry={refetch} />;
  if (ids.length === 0) {
    return (
      <main className="wrap pt-10">
        <EmptyState
          level="h1"
          title="No influencers chosen"
          text="Save some first. Then send one brief to all of them."
        >
          <Link className={buttonVariants()} to={paths.searchInfluencers}>
            Find Influencers
          </Link>
          <Link className={buttonVariants({ variant: 'outline' })} to={paths.favorites}>
            Favorites
          </Link>
        </EmptyState>
      </main>
    );
  }
  if (data?.length === 0) {
    return (
      <main className="wrap pt-10">
        <EmptyState
          level="h1"
          title={ids.length > 1 ? 'No influencers found' : 'Influencer not found'}
          text="The profile may have been removed, or it isn’t public yet."
        >
          <Link className={buttonVariants()} to={paths.searchInfluencers}>
            Find Influencers
          </Link>
        </EmptyState>
      </main>
    );
  }
  return (
    <main className="wrap pt-6 pb-16">
      <Link className={buttonVariants({ variant: 'ghost', size: 'small', className: '-ml-3' })} to={back}>
        <ArrowLeft aria-hidden="true" />
        {id ? 'Back to the profile' : 'Back to Favorites'}
      </Link>
      {data && !(status === 'loading' && mayBeSignedIn()) ? (
        <BriefPage key={account?.id ?? 'guest'} recipients={data} left={ids.length - data.length} back={back} />
      ) : (
        <Loader label="Loading..." />
      )}
    </main>
  );
}

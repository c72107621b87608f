import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { EmptyState } from '@/components/empty-state';
import { LoadFailure } from '@/components/load-failure';
import { Button, buttonVariants } from '@/components/ui/button';
import { cardVariants } from '@/components/ui/card';
import { Skeleton } from '@/components/ui/skeleton';
import { useFailureToast } from '@/hooks/use-failure-toast';
import { totalOf } from '@/lib/pages';
import { paths } from '@/lib/paths';
import { collaborationList } from '../queries';
import { CollaborationItem } from './collaboration-item';

const FAILED = 'Failed to load collaborations';

/** The account's own collaborations, as influencer and as client. */
export function CollaborationList({ userId }: { userId: string }) {
  const { data, isPending, isError, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    collaborationList(userId),
  );
  useFailureToast(isError, FAILED);
  if (isPending) return <CollaborationSkeletons />;
  if (!data) return <LoadFailure inside title={FAILED} error={error} retry={refetch} />;
  const rows = data.pages.flatMap((page) => page.rows);
  if (rows.length === 0) {
    return (
      <EmptyState
        title="No collaborations yet"
        text="A collaboration begins when an enquiry or an application for a gig is accepted."
      >
        <Link className={buttonVariants()} to={paths.searchInfluencers}>
          Find influencers
        </Link>
      </EmptyState>
    );
  }
  return (
    <>
      <p className="sr-only" role="status">
        {rows.length} of {totalOf(data.pages)} collaborations shown
      </p>
      <ul className="grid gap-4">
        {rows.map((work) => (
          <CollaborationItem key={work.id} work={work} />
        ))}
      </ul>
      {hasNextPage ? (
        <div className="mt-6 grid place-items-center">
          <Button variant="outline" size="large" busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {isFetchingNextPage ? 'Loading...' : 'Load More'}
          </Button>
        </div>
      ) : null}
    </>
  );
}

export function CollaborationSkeletons() {
  return (
    <div className="grid gap-4" aria-busy="true">
      <p className="sr-only" role="status">
        Loading collaborations...
      </p>
      {[...'abc'].map((place) => (
        <div key={place} className={cardVariants({ padded: true, className: 'grid gap-3' })} aria-hidden="true">
          <Skeleton className="h-6 w-2/5" />
          <Skeleton className="h-5 w-1/4" />
          <Skeleton className="h-11 w-3/5" />
        </div>
      ))}
    </div>
  );
}

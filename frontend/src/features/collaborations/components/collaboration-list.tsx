import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { EmptyState } from '@/components/empty-state';
import { LoadFailure } from '@/components/load-failure';
import { LoadMore } from '@/components/load-more';
import { buttonVariants } from '@/components/ui/button';
import { cardVariants } from '@/components/ui/card';
import { Skeleton } from '@/components/ui/skeleton';
import { totalOf } from '@/lib/pages';
import { paths } from '@/lib/paths';
import { collaborationList } from '../queries';
import { CollaborationItem } from './collaboration-item';

const FAILED = 'Failed to load collaborations';

/** The account's own collaborations, as influencer and as client. */
export function CollaborationList({ userId }: { userId: string }) {
  const list = useInfiniteQuery(collaborationList(userId));
  const { data, isPending, error, refetch } = list;
  if (isPending) return <CollaborationSkeletons />;
  if (!data) return <LoadFailure inside title={FAILED} error={error} retry={refetch} />;
  const rows = data.pages.flatMap((page) => page.rows);
  if (rows.length === 0) {
    return (
      <EmptyState
        title="No collaborations yet"
        text="A collaboration starts when an enquiry or a gig application is accepted."
      >
        <Link className={buttonVariants()} to={paths.searchInfluencers}>
          Find Influencers
        </Link>
      </EmptyState>
    );
  }
  return (
    <>
      <p className="sr-only" role="status">
        {rows.length} of {totalOf(data.pages)} collaborations shown
      </p>
      <ul className="grid items-start gap-4 lg:grid-cols-2">
        {rows.map((work) => (
          <CollaborationItem key={work.id} work={work} />
        ))}
      </ul>
      <LoadMore list={list} failed={FAILED} />
    </>
  );
}

export function CollaborationSkeletons() {
  return (
    <div className="grid gap-4 lg:grid-cols-2" aria-busy="true">
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

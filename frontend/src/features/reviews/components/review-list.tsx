import { useInfiniteQuery } from '@tanstack/react-query';
import { useSession } from '@/app/session';
import { LoadFailure } from '@/components/load-failure';
import { Rating } from '@/components/rating';
import { Button } from '@/components/ui/button';
import { Skeleton } from '@/components/ui/skeleton';
import { useFailureToast } from '@/hooks/use-failure-toast';
import { type Reviewed, reviewList } from '../queries';
import { ReviewItem } from './review-item';

const FAILED = 'Failed to load reviews';

interface Subject extends Reviewed {
  name: string;
  /** The account that owns the profile. */
  userId: string | null;
  rating: number | null;
  count: number | null;
}

/** A profile's published reviews, newest first. The caller shows something else when there are none. */
export default function ReviewList({ subject }: { subject: Subject }) {
  const { account, roles } = useSession();
  const { data, isPending, isError, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    reviewList(subject),
  );
  useFailureToast(isError, FAILED);
  if (isPending) return <ReviewSkeletons />;
  if (!data) return <LoadFailure inside title={FAILED} error={error} retry={refetch} />;
  const rights = {
    owner: Boolean(account && account.id === subject.userId),
    admin: roles.includes('admin') || roles.includes('superadmin'),
  };
  return (
    <>
      {subject.rating === null ? null : (
        <p className="pt-4.5 text-[18px]">
          <Rating rating={subject.rating} count={subject.count} />
        </p>
      )}
      <ul>
        {data.pages.flatMap((page) =>
          page.rows.map((review) => (
            <ReviewItem key={review.id} review={review} subject={subject.name} rights={rights} />
          )),
        )}
      </ul>
      {hasNextPage ? (
        <div className="grid place-items-center border-border border-t p-4.5">
          <Button variant="outline" busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {isFetchingNextPage ? 'Loading...' : 'Load More'}
          </Button>
        </div>
      ) : null}
    </>
  );
}

export function ReviewSkeletons() {
  return (
    <div aria-busy="true">
      <p className="sr-only" role="status">
        Loading reviews...
      </p>
      {[...'ab'].map((place) => (
        <div key={place} className="flex items-start gap-4 py-5.5" aria-hidden="true">
          <Skeleton className="size-12 rounded-full" />
          <div className="grid flex-1 gap-2">
            <Skeleton className="h-5 w-2/5" />
            <Skeleton className="h-5 w-4/5" />
          </div>
        </div>
      ))}
    </div>
  );
}

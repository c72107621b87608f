import { useInfiniteQuery } from '@tanstack/react-query';
import { useSession } from '@/app/session';
import { LoadFailure } from '@/components/load-failure';
import { LoadMore } from '@/components/load-more';
import { Rating } from '@/components/rating';
import { Skeleton } from '@/components/ui/skeleton';
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
  const list = useInfiniteQuery(reviewList(subject));
  const { data, isPending, error, refetch } = list;
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
        {data.pages.flat().map((review) => (
          <ReviewItem key={review.id} review={review} subject={subject.name} rights={rights} />
        ))}
      </ul>
      <LoadMore list={list} failed={FAILED} />
    </>
  );
}

function ReviewSkeletons() {
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

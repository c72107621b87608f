import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useLocation, useParams } from 'react-router';
import { Loader } from '@/components/empty-state';
import { LoadFailure } from '@/components/load-failure';
import { SignedIn } from '@/components/signed-in';
import { hasReviewed, partnerOf } from '@/features/collaborations/collaboration';
import { collaborationQuery, collaborationsKey } from '@/features/collaborations/queries';
import { GuestReview } from '@/features/reviews/components/guest-review';
import { ReviewForm } from '@/features/reviews/components/review-form';
import { NoReview, noticeOf, ReviewFrame } from '@/features/reviews/components/review-page';
import { writeReview } from '@/features/reviews/mutations';
import { useFailureToast } from '@/hooks/use-failure-toast';

/** Guests have the token of a mailed link after `#`, which browsers send to no server. */
export default function ReviewPage() {
  const { collaboration = '' } = useParams();
  const token = new URLSearchParams(useLocation().hash.slice(1)).get('token');
  if (token) return <GuestReview key={token} token={token} />;
  return (
    <SignedIn to="write a review">
      {(userId) => <AccountReview key={collaboration} id={collaboration} userId={userId} />}
    </SignedIn>
  );
}

const FAILED = 'Failed to load the collaboration';

/** The review page of a side with an account. */
function AccountReview({ id, userId }: { id: string; userId: string }) {
  const client = useQueryClient();
  const { data: work, isPending, isError, error, refetch } = useQuery(collaborationQuery(id, userId));
  useFailureToast(isError, FAILED);
  if (isError) return <LoadFailure title={FAILED} error={error} retry={refetch} />;
  if (isPending) return <Loader label="Loading..." />;
  if (!work)
    return <NoReview title="Collaboration not found" text="It was removed, or it belongs to another account." />;
  const { name } = partnerOf(work);
  if (work.state === 'accepted') {
    return (
      <NoReview
        title="Not completed yet"
        text="Once both sides have marked the work as completed, you can review each other."
      />
    );
  }
  const notice = noticeOf({ ...work, reviewed: hasReviewed(work) }, name, Date.now());
  if (notice) return <NoReview {...notice} />;
  return (
    <ReviewFrame title={`How was ${name}?`} text={`You worked together on “${work.title}”.`}>
      <ReviewForm
        collaboration={id}
        author={userId}
        asksForPayment={work.side === 'influencer'}
        send={(form) => writeReview(id, form)}
        onSettled={() => {
          void client.invalidateQueries({ queryKey: collaborationsKey });
          void client.invalidateQueries({ queryKey: ['reviews'] });
        }}
      />
    </ReviewFrame>
  );
}

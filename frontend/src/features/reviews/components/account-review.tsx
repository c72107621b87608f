import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Loader } from '@/components/empty-state';
import { LoadFailure } from '@/components/load-failure';
import { hasReviewed, partnerOf } from '@/features/collaborations/collaboration';
import { collaborationQuery, collaborationsKey } from '@/features/collaborations/queries';
import { useFailureToast } from '@/hooks/use-failure-toast';
import { writeReview } from '../mutations';
import { ReviewForm } from './review-form';
import { NoReview, noticeOf, ReviewFrame } from './review-page';

const FAILED = 'Failed to load the collaboration';

/** For a side with an account. */
export function AccountReview({ id, userId }: { id: string; userId: string }) {
  const client = useQueryClient();
  const { data: work, isPending, isError, error, refetch } = useQuery(collaborationQuery(id, userId));
  useFailureToast(isError, FAILED);
  if (isError) return <LoadFailure title={FAILED} error={error} retry={refetch} />;
  if (isPending) return <Loader label="Loading..." />;
  if (!work) return <NoReview title="Collaboration not found" text="It belongs to another account, or was removed." />;
  const { name } = partnerOf(work);
  if (work.state === 'accepted') {
    return (
      <NoReview title="Not completed yet" text="When both sides have completed the work, you can review each other." />
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

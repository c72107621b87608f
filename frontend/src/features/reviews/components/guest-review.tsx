import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Loader } from '@/components/empty-state';
import { LoadFailure } from '@/components/load-failure';
import { TextDialog } from '@/components/text-dialog';
import { Button } from '@/components/ui/button';
import { useFailureToast } from '@/hooks/use-failure-toast';
import { cancelAsGuest, writeReviewAsGuest } from '../mutations';
import { guestWorkQuery } from '../queries';
import { ReviewForm } from './review-form';
import { NoReview, noticeOf, ReviewFrame } from './review-page';

const FAILED = 'Failed to load the collaboration';

/** For a client without an account, who followed the link of a mail. Opening it changes nothing. */
export function GuestReview({ token }: { token: string }) {
  const { data: work, isPending, isError, error, refetch } = useQuery(guestWorkQuery(token));
  const [cancelling, setCancelling] = useState(false);
  useFailureToast(isError, FAILED);
  if (isError) return <LoadFailure title={FAILED} error={error} retry={refetch} />;
  if (isPending) return <Loader label="Loading..." />;
  if (!work) {
    return (
      <NoReview guest title="This link has expired" text="Open the link of the newest mail, or ask the influencer." />
    );
  }
  const partner = work.influencer_name ?? 'Former member';
  const notice = noticeOf(work, partner, Date.now());
  if (notice) return <NoReview guest {...notice} />;
  if (!work.influencer_completed_at && work.state === 'accepted') {
    return <NoReview guest title="Not completed yet" text={`${partner} has not completed the work yet.`} />;
  }
  const reload = () => void refetch();
  return (
    <ReviewFrame
      title={`How was ${partner}?`}
      text={
        work.state === 'accepted'
          ? `${partner} says that “${work.title}” is completed. With your review you confirm that.`
          : `You worked together on “${work.title}”.`
      }
    >
      <ReviewForm
        collaboration={work.id}
        author="guest"
        asksForPayment={false}
        send={(form) => writeReviewAsGuest(token, form)}
        onSettled={reload}
      />
      {work.state === 'accepted' ? (
        <p className="mt-5 flex flex-wrap items-center gap-x-2 text-muted-foreground">
          The work is not done?
          <Button variant="dangerghost" onClick={() => setCancelling(true)}>
            Cancel collaboration
          </Button>
        </p>
      ) : null}
      {cancelling ? (
        <TextDialog
          title="Cancel this collaboration?"
          description={`${partner} is told your reason. This can't be undone, and nobody can write a review.`}
          label="Reason"
          most={500}
          action="Cancel collaboration"
          busyAction="Cancelling..."
          danger
          send={(reason) => cancelAsGuest(token, reason)}
          done="Collaboration cancelled"
          failed="Failed to cancel the collaboration"
          onClose={() => setCancelling(false)}
          onDone={() => {
            setCancelling(false);
            reload();
          }}
        />
      ) : null}
    </ReviewFrame>
  );
}

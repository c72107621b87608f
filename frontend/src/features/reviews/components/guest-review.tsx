import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { CancelWorkDialog } from '@/components/cancel-work-dialog';
import { Loader } from '@/components/empty-state';
import { LoadFailure } from '@/components/load-failure';
import { Button } from '@/components/ui/button';
import { useFailureToast } from '@/hooks/use-failure-toast';
import { FORMER_MEMBER } from '@/lib/former-member';
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
      <NoReview guest title="This link has expired" text="Open the link in our latest e-mail, or ask the influencer." />
    );
  }
  const partner = work.influencer_name ?? FORMER_MEMBER;
  const notice = noticeOf(work, partner, Date.now());
  if (notice) return <NoReview guest {...notice} />;
  if (!work.influencer_completed_at && work.state === 'accepted') {
    return <NoReview guest title="Not completed yet" text={`${partner} hasn’t marked the work as completed yet.`} />;
  }
  const reload = () => void refetch();
  return (
    <ReviewFrame
      title={`How was ${partner}?`}
      text={
        work.state === 'accepted'
          ? `${partner} says that “${work.title}” is completed. Your review confirms this.`
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
          Isn’t the work done?
          <Button variant="dangerghost" onClick={() => setCancelling(true)}>
            Cancel collaboration
          </Button>
        </p>
      ) : null}
      {cancelling ? (
        <CancelWorkDialog
          partner={partner}
          cancel={(reason) => cancelAsGuest(token, reason)}
          onClose={() => setCancelling(false)}
          onCancelled={reload}
        />
      ) : null}
    </ReviewFrame>
  );
}

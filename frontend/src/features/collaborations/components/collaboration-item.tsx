import { useMutation, useQueryClient } from '@tanstack/react-query';
import { CheckCheck, Mail, Star } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { CancelWorkDialog } from '@/components/cancel-work-dialog';
import { StateBadge } from '@/components/state-badge';
import { AlertCancel, AlertDialog } from '@/components/ui/alert-dialog';
import { Button, buttonVariants } from '@/components/ui/button';
import { cardVariants } from '@/components/ui/card';
import { dayOf } from '@/lib/dates';
import { mailTo } from '@/lib/email';
import { reasonOf } from '@/lib/errors';
import { paths } from '@/lib/paths';
import { toast } from '@/lib/toast';
import { canReview, hasReviewed, isCompletedByReader, partnerOf, sentenceOf } from '../collaboration';
import { cancelCollaboration, completeCollaboration } from '../mutations';
import { type Collaboration, collaborationsKey } from '../queries';

export function CollaborationItem({ work }: { work: Collaboration }) {
  const partner = partnerOf(work);
  return (
    <li className={cardVariants({ padded: true, className: 'grid gap-3' })} id={work.id}>
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1 basis-60">
          <h2 className="wrap-anywhere text-[20px]">{work.title}</h2>
          <p className="wrap-anywhere mt-0.5 text-muted-foreground">
            with{' '}
            {partner.to ? (
              <Link className="text-foreground underline decoration-input underline-offset-3" to={partner.to}>
                {partner.name}
              </Link>
            ) : (
              <span className="text-foreground">{partner.name}</span>
            )}{' '}
            since {dayOf(work.created_at)}
          </p>
        </div>
        <StateBadge of="collaboration" state={work.state} />
      </div>
      <p className="wrap-anywhere max-w-[68ch]">{sentenceOf(work)}</p>
      {work.reason ? (
        <p className="wrap-anywhere max-w-[68ch] whitespace-pre-line text-muted-foreground">Reason: {work.reason}</p>
      ) : null}
      {partner.email ? (
        <p>
          <a className="inline-flex min-h-11 max-w-full items-center gap-2" href={mailTo(partner.email)}>
            <Mail className="size-4.5 flex-none" aria-hidden="true" />
            <span className="wrap-anywhere underline decoration-input underline-offset-3">{partner.email}</span>
          </a>
        </p>
      ) : null}
      {work.state === 'accepted' ? <EndActions work={work} /> : <ReviewAction work={work} />}
    </li>
  );
}

function ReviewAction({ work }: { work: Collaboration }) {
  if (work.state !== 'completed') return null;
  if (hasReviewed(work)) {
    const waiting = work.reviews.some(({ published_at }) => published_at === null);
    return (
      <p className="text-muted-foreground text-sm">
        {waiting && work.review_until
          ? `You wrote a review. It’s published once both sides have written one, or on ${dayOf(work.review_until)}.`
          : 'You wrote a review.'}
      </p>
    );
  }
  if (!canReview(work, Date.now()) || !work.review_until) return null;
  return (
    <div className="flex flex-wrap items-center gap-3">
      <Link className={buttonVariants({ className: 'max-sm:w-full' })} to={paths.review(work.id)}>
        <Star aria-hidden="true" />
        Write a review
      </Link>
      <span className="text-muted-foreground text-sm">until {dayOf(work.review_until)}</span>
    </div>
  );
}

function EndActions({ work }: { work: Collaboration }) {
  const client = useQueryClient();
  const [open, setOpen] = useState<'complete' | 'cancel'>();
  const close = () => setOpen(undefined);
  const reload = () => client.invalidateQueries({ queryKey: collaborationsKey });
  return (
    <div className="flex flex-wrap gap-2.5">
      {isCompletedByReader(work) ? null : (
        <Button className="max-sm:w-full" onClick={() => setOpen('complete')}>
          <CheckCheck aria-hidden="true" />
          Mark as completed
        </Button>
      )}
      <Button variant="dangerghost" className="max-sm:w-full sm:first:-ml-4.5" onClick={() => setOpen('cancel')}>
        Cancel collaboration
      </Button>
      {open === 'complete' ? <CompleteDialog work={work} onClose={close} reload={reload} /> : null}
      {open === 'cancel' ? (
        <CancelWorkDialog
          partner={partnerOf(work).name}
          cancel={(reason) => cancelCollaboration(work.id, reason)}
          onClose={close}
          onCancelled={() => void reload()}
        />
      ) : null}
    </div>
  );
}

function CompleteDialog(props: { work: Collaboration; onClose: () => void; reload: () => Promise<void> }) {
  const { work, onClose } = props;
  const partner = partnerOf(work).name;
  const completion = useMutation({
    mutationFn: () => completeCollaboration(work.id),
    onSuccess: (state) => {
      toast.success(state === 'completed' ? 'Collaboration completed' : `Completed. Waiting for ${partner}.`);
      onClose();
    },
    onError: (error) => toast.error('Failed to complete the collaboration', { description: reasonOf(error) }),
    // Also after an error: the other side may have cancelled.
    onSettled: () => props.reload(),
  });
  return (
    <AlertDialog
      open
      onOpenChange={(open) => !open && !completion.isPending && onClose()}
      title="Is the work done?"
      description={
        <p className="wrap-anywhere">
          This says that everything was delivered and paid. {partner} is asked to confirm. Then you can both write a
          review.
        </p>
      }
    >
      <AlertCancel className={buttonVariants({ variant: 'outline' })}>Not yet</AlertCancel>
      <Button busy={completion.isPending} onClick={() => completion.mutate()}>
        {completion.isPending ? 'Saving...' : 'Mark as completed'}
      </Button>
    </AlertDialog>
  );
}

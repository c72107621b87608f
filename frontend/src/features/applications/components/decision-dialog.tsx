import { AlertCancel, AlertDialog } from '@/components/ui/alert-dialog';
import { Button, buttonVariants } from '@/components/ui/button';
import { nameOf } from '../columns';
import type { Applicant } from '../queries';

/** The pending decision about one or several applicants. */
export interface PendingDecision {
  decision: 'accepted' | 'declined';
  applicants: Applicant[];
}

/** Asks before a decision that can't be undone. */
export function DecisionDialog(props: {
  pending: PendingDecision;
  busy: boolean;
  onConfirm: () => void;
  onClose: () => void;
}) {
  const { pending, busy } = props;
  const [first] = pending.applicants;
  const count = pending.applicants.length;
  const whom = count === 1 && first ? nameOf(first) : `${count} applicants`;
  const accepting = pending.decision === 'accepted';
  return (
    <AlertDialog
      open
      onOpenChange={(open) => !open && !busy && props.onClose()}
      title={accepting ? `Accept ${whom}?` : `Decline ${whom}?`}
      description={
        <p className="wrap-anywhere">
          {accepting
            ? 'This starts a collaboration and takes one of the gig’s places. We’ll notify the influencer.'
            : `We’ll notify ${count === 1 ? 'the influencer' : 'each of them'}. This can't be undone.`}
        </p>
      }
    >
      <AlertCancel className={buttonVariants({ variant: 'outline' })}>Cancel</AlertCancel>
      <Button variant={accepting ? 'primary' : 'danger'} busy={busy} onClick={props.onConfirm}>
        {accepting
          ? busy
            ? 'Accepting...'
            : 'Accept'
          : busy
            ? 'Declining...'
            : `Decline${count > 1 ? ` ${count}` : ''}`}
      </Button>
    </AlertDialog>
  );
}

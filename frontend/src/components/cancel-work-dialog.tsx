import { TextDialog } from './text-dialog';

/** Cancels a collaboration with a reason that the other side reads. */
export function CancelWorkDialog(props: {
  partner: string;
  cancel: (reason: string) => Promise<void>;
  onClose: () => void;
  onCancelled: () => void;
}) {
  return (
    <TextDialog
      title="Cancel this collaboration?"
      description={`${props.partner} will see your reason. This can't be undone, and neither side can write a review.`}
      label="Reason"
      most={500}
      action="Cancel collaboration"
      busyAction="Cancelling..."
      danger
      send={props.cancel}
      done="Collaboration cancelled"
      failed="Failed to cancel the collaboration"
      onClose={props.onClose}
      onDone={() => {
        props.onClose();
        props.onCancelled();
      }}
    />
  );
}

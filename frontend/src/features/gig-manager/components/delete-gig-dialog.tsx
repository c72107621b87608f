import { useMutation } from '@tanstack/react-query';
import { AlertCancel, AlertDialog } from '@/components/ui/alert-dialog';
import { Button, buttonVariants } from '@/components/ui/button';
import { messageOf } from '@/lib/errors';
import { toast } from '@/lib/toast';
import { deleteGig } from '../mutations';
import type { OwnGig } from '../queries';

/** Stays open if deleting fails, so that the user can retry. */
export function DeleteGigDialog(props: { gig: OwnGig; onClose: () => void; onDeleted: () => void }) {
  const { gig } = props;
  const removal = useMutation({
    mutationFn: () => deleteGig(gig.id),
    onSuccess: () => {
      toast.success('Gig deleted successfully!');
      props.onDeleted();
    },
    onError: (error) => toast.error('Failed to delete gig', { description: messageOf(error) }),
  });
  return (
    <AlertDialog
      open
      onOpenChange={(open) => !open && !removal.isPending && props.onClose()}
      title="Delete this gig?"
      description={
        <p className="wrap-anywhere">
          <b>{gig.title}</b> is removed from Available Gigs immediately. This can't be undone.
        </p>
      }
    >
      <AlertCancel className={buttonVariants({ variant: 'outline' })}>Cancel</AlertCancel>
      <Button variant="danger" busy={removal.isPending} onClick={() => removal.mutate()}>
        {removal.isPending ? 'Deleting...' : 'Delete gig'}
      </Button>
    </AlertDialog>
  );
}

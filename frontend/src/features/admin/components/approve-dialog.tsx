import { Check } from 'lucide-react';
import { AlertAction, AlertCancel, AlertDialog } from '@/components/ui/alert-dialog';
import { buttonVariants } from '@/components/ui/button';

/** Asks before approving several accounts together, because approvals can't be undone. A single one needs no
 * confirmation.
 */
export function ApproveDialog(props: { count: number; onApprove: () => void; onClose: () => void }) {
  return (
    <AlertDialog
      open
      onOpenChange={(open) => !open && props.onClose()}
      title={`Approve ${props.count} accounts?`}
      description={<p>They appear in search at once, and each owner gets an e-mail. An approval can't be undone.</p>}
    >
      <AlertCancel className={buttonVariants({ variant: 'outline' })}>Cancel</AlertCancel>
      <AlertAction className={buttonVariants()} onClick={props.onApprove}>
        <Check aria-hidden="true" />
        Approve {props.count}
      </AlertAction>
    </AlertDialog>
  );
}

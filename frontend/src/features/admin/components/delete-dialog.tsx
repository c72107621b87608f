import { Trash2 } from 'lucide-react';
import { AlertAction, AlertCancel, AlertDialog } from '@/components/ui/alert-dialog';
import { buttonVariants } from '@/components/ui/button';
import type { Kind } from '../lists';

const REMOVED: Record<Kind, string> = {
  influencer: 'profile, photos and services are',
  agency: 'profile, pictures and gigs are',
  vendor: 'profile and logo are',
};

/** Deleting a profile is permanent; the account stays. */
export function DeleteDialog(props: { kind: Kind; name: string; onDelete: () => void; onClose: () => void }) {
  return (
    <AlertDialog
      open
      onOpenChange={(open) => !open && props.onClose()}
      title="Delete this profile?"
      description={
        <p>
          {props.name}'s {REMOVED[props.kind]} removed permanently. This can't be undone.
        </p>
      }
    >
      <AlertCancel className={buttonVariants({ variant: 'outline' })}>Cancel</AlertCancel>
      <AlertAction className={buttonVariants({ variant: 'danger' })} onClick={props.onDelete}>
        <Trash2 aria-hidden="true" />
        Delete profile
      </AlertAction>
    </AlertDialog>
  );
}

import { AlertAction, AlertCancel, AlertDialog } from '@/components/ui/alert-dialog';
import { buttonVariants } from '@/components/ui/button';
import { Chip } from '@/components/ui/chip';

export function LeaveDialog(props: { fields: string[]; onLeave: () => void; onStay: () => void }) {
  return (
    <AlertDialog
      open
      onOpenChange={(open) => !open && props.onStay()}
      title="Leave without saving?"
      description={
        <>
          <p>Your changes on this page are not saved yet.</p>
          <div className="mt-3 flex flex-wrap items-center gap-2">
            {props.fields.map((field) => (
              <Chip key={field}>{field}</Chip>
            ))}
          </div>
        </>
      }
    >
      <AlertCancel className={buttonVariants({ variant: 'outline' })}>Stay</AlertCancel>
      <AlertAction className={buttonVariants({ variant: 'danger' })} onClick={props.onLeave}>
        Leave without saving
      </AlertAction>
    </AlertDialog>
  );
}

import { AlertAction, AlertCancel, AlertDialog } from '@/components/ui/alert-dialog';
import { Button, buttonVariants } from '@/components/ui/button';
import { Chip } from '@/components/ui/chip';

/** Asks before leaving with unsaved changes, and lists them. `fields` are display names (see changes.ts). */
export function UnsavedDialog(props: {
  fields: string[];
  onLeave: () => void;
  onStay: () => void;
  onSave: () => void;
}) {
  const count = props.fields.length;
  return (
    <AlertDialog
      open
      stacked
      onOpenChange={(open) => !open && props.onStay()}
      title="Save before you leave?"
      description={
        <>
          <p>
            {count === 1
              ? 'One field on your profile has changed and is not saved yet.'
              : `${count} fields on your profile have changed and are not saved yet.`}
          </p>
          <div className="flex flex-wrap items-center gap-2">
            {props.fields.map((field) => (
              <Chip key={field}>{field}</Chip>
            ))}
          </div>
        </>
      }
    >
      <AlertAction className={buttonVariants({ variant: 'dangerghost' })} onClick={props.onLeave}>
        Leave without saving
      </AlertAction>
      <span className="min-w-0 flex-1 max-sm:hidden" />
      <AlertCancel className={buttonVariants({ variant: 'outline' })}>Stay</AlertCancel>
      <Button onClick={props.onSave}>Save and leave</Button>
    </AlertDialog>
  );
}

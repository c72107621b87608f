// Asks which version to keep when another tab saved different values for the same fields.

import { AlertAction, AlertCancel, AlertDialog } from '@/components/ui/alert-dialog';
import { buttonVariants } from '@/components/ui/button';
import { Chip } from '@/components/ui/chip';

export function ClashDialog(props: {
  fields: string[];
  onCancel: () => void;
  onMine: () => void;
  onTheirs: () => void;
}) {
  return (
    <AlertDialog
      open
      stacked
      onOpenChange={(open) => !open && props.onCancel()}
      title="Changed in another tab"
      description={
        <>
          <p>
            These fields were saved differently in another tab or on another device. Which version do you want to keep?
          </p>
          <div className="flex flex-wrap items-center gap-2">
            {props.fields.map((field) => (
              <Chip key={field}>{field}</Chip>
            ))}
          </div>
        </>
      }
    >
      <AlertCancel className={buttonVariants({ variant: 'ghost' })}>Go back</AlertCancel>
      <span className="min-w-0 flex-1 max-sm:hidden" />
      <AlertAction className={buttonVariants({ variant: 'outline' })} onClick={props.onTheirs}>
        Use the saved version
      </AlertAction>
      <AlertAction className={buttonVariants()} onClick={props.onMine}>
        Keep mine
      </AlertAction>
    </AlertDialog>
  );
}

// Asks which version to keep when another tab saved different values for the same fields.
import { AlertAction, AlertCancel, AlertDialog } from '@/components/ui/alert-dialog';

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
          <div className="row wrapf" style={{ gap: 8 }}>
            {props.fields.map((field) => (
              <span key={field} className="chip">
                {field}
              </span>
            ))}
          </div>
        </>
      }
    >
      <AlertCancel className="btn ghost">Go back</AlertCancel>
      <span className="grow m-hide" />
      <AlertAction className="btn outline" onClick={props.onTheirs}>
        Use the saved version
      </AlertAction>
      <AlertAction className="btn primary" onClick={props.onMine}>
        Keep mine
      </AlertAction>
    </AlertDialog>
  );
}

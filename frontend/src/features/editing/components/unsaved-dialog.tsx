import { AlertAction, AlertCancel, AlertDialog } from '@/components/ui/alert-dialog';

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
      <AlertAction className="btn dangerghost" onClick={props.onLeave}>
        Leave without saving
      </AlertAction>
      <span className="grow m-hide" />
      <AlertCancel className="btn outline">Stay</AlertCancel>
      <button type="button" className="btn primary" onClick={props.onSave}>
        Save and leave
      </button>
    </AlertDialog>
  );
}

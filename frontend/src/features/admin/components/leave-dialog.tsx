import { AlertAction, AlertCancel, AlertDialog } from '@/components/ui/alert-dialog';

export function LeaveDialog(props: { fields: string[]; onLeave: () => void; onStay: () => void }) {
  return (
    <AlertDialog
      open
      onOpenChange={(open) => !open && props.onStay()}
      title="Leave without saving?"
      description={
        <>
          <p>Your changes on this page are not saved yet.</p>
          <div className="row wrapf leave-fields">
            {props.fields.map((field) => (
              <span key={field} className="chip">
                {field}
              </span>
            ))}
          </div>
        </>
      }
    >
      <AlertCancel className="btn outline">Stay</AlertCancel>
      <AlertAction className="btn danger" onClick={props.onLeave}>
        Leave without saving
      </AlertAction>
    </AlertDialog>
  );
}

import { Dialog } from '@/components/ui/dialog';
import { toast } from '@/lib/toast';
import { removeApp } from '../factor-mutations';
import type { App } from '../factor-queries';
import { SecondStep } from './second-step';

/** Removes an app after a code, so that someone else at an unlocked browser can't. */
export function RemoveAppDialog(props: { app: App; isLast: boolean; onClose: () => void; onRemoved: () => void }) {
  const { app, isLast } = props;
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && props.onClose()}
      title={`Remove ${app.name}`}
      description={
        isLast
          ? 'Afterwards your password alone is enough to sign in, and your recovery codes stop working.'
          : 'Its codes stop working.'
      }
    >
      <SecondStep
        action="Remove"
        danger
        onDone={async () => {
          await removeApp(app.id);
          toast.success(`${app.name} removed`);
          props.onRemoved();
        }}
        onCancel={props.onClose}
      />
    </Dialog>
  );
}

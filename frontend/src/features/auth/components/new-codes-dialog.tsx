import { useMutation } from '@tanstack/react-query';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { messageOf } from '@/lib/errors';
import { toast } from '@/lib/toast';
import { newRecoveryCodes } from '../factor-mutations';
import { needsSecondStep } from '../wrong-code';
import { SecondStep } from './second-step';

/** Replaces the recovery codes, after a code of the app if the last one was long ago. */
export function NewCodesDialog({ onClose, onMade }: { onClose: () => void; onMade: (codes: string[]) => void }) {
  const made = useMutation({
    mutationFn: newRecoveryCodes,
    onSuccess: onMade,
    onError: (error) => {
      if (!needsSecondStep(error)) toast.error('No codes were created', { description: messageOf(error) });
    },
  });
  const asks = needsSecondStep(made.error);
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Create new recovery codes"
      description={asks ? 'Enter a code first, so that we know it is you.' : 'Your earlier codes stop working.'}
      footer={
        asks ? undefined : (
          <>
            <Button variant="outline" onClick={onClose}>
              Back
            </Button>
            <Button busy={made.isPending} onClick={() => made.mutate()}>
              {made.isPending ? 'Creating...' : 'Create codes'}
            </Button>
          </>
        )
      }
    >
      {asks ? (
        <SecondStep
          action="Continue"
          onDone={async () => {
            await made.mutateAsync().catch(() => undefined);
          }}
        />
      ) : (
        <p>You get ten new codes, which are shown once.</p>
      )}
    </Dialog>
  );
}

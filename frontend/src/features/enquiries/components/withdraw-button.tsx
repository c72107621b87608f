import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Undo2 } from 'lucide-react';
import { useState } from 'react';
import { AlertAction, AlertCancel, AlertDialog } from '@/components/ui/alert-dialog';
import { Button, buttonVariants } from '@/components/ui/button';
import { reasonOf } from '@/lib/errors';
import { toast } from '@/lib/toast';
import { withdrawEnquiry } from '../mutations';
import { enquiriesKey } from '../queries';

export function WithdrawButton({ userId, id, name }: { userId: string; id: string; name: string }) {
  const client = useQueryClient();
  const withdraw = useMutation({
    mutationFn: () => withdrawEnquiry(id),
    onSuccess: () => toast.success('Enquiry withdrawn'),
    onError: (error) => toast.error('The enquiry was not withdrawn', { description: reasonOf(error) }),
    onSettled: () => client.invalidateQueries({ queryKey: enquiriesKey(userId) }),
  });
  return <AskToWithdraw name={name} busy={withdraw.isPending} onWithdraw={() => withdraw.mutate()} />;
}

/** Also for guests, who withdraw through their link. */
export function AskToWithdraw(props: { name: string; busy: boolean; onWithdraw: () => void }) {
  const [asking, setAsking] = useState(false);
  return (
    <div>
      <Button variant="outline" busy={props.busy} onClick={() => setAsking(true)}>
        {props.busy ? null : <Undo2 aria-hidden="true" />}
        Withdraw
      </Button>
      <AlertDialog
        open={asking}
        onOpenChange={setAsking}
        title="Withdraw this enquiry?"
        description={<p>{props.name} can’t answer it anymore. This can’t be undone.</p>}
      >
        <AlertCancel className={buttonVariants({ variant: 'outline' })}>Keep it</AlertCancel>
        <AlertAction className={buttonVariants({ variant: 'danger' })} onClick={props.onWithdraw}>
          Withdraw
        </AlertAction>
      </AlertDialog>
    </div>
  );
}

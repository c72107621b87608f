import { useMutation } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { Field } from '@/components/ui/field';
import { Textarea } from '@/components/ui/input';
import { reasonOf } from '@/lib/errors';
import { toast } from '@/lib/toast';

/** Asks for one required text and sends it. Stays open if that fails, so that the text is not lost. */
export function TextDialog(props: {
  title: string;
  description: string;
  label: string;
  most: number;
  action: string;
  busyAction: string;
  danger?: boolean;
  send: (text: string) => Promise<void>;
  done: string;
  failed: string;
  onClose: () => void;
  onDone: () => void;
}) {
  const id = useId();
  const [text, setText] = useState('');
  const [fault, setFault] = useState('');
  const sent = useMutation({
    mutationFn: props.send,
    onSuccess: () => {
      toast.success(props.done);
      props.onDone();
    },
    onError: (error) => toast.error(props.failed, { description: reasonOf(error) }),
  });
  function submit() {
    const typed = text.trim();
    if (typed === '') setFault(`${props.label} is required`);
    else if (typed.length > props.most) setFault(`Write at most ${props.most.toLocaleString('en')} characters`);
    else if (!sent.isPending) sent.mutate(typed);
  }
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && !sent.isPending && props.onClose()}
      title={props.title}
      description={props.description}
      footer={
        <>
          <Button variant="outline" disabled={sent.isPending} onClick={props.onClose}>
            Back
          </Button>
          <Button variant={props.danger ? 'danger' : 'primary'} busy={sent.isPending} onClick={submit}>
            {sent.isPending ? props.busyAction : props.action}
          </Button>
        </>
      }
    >
      <Field id={id} label={props.label} required error={fault} counter={`${text.length} / ${props.most}`}>
        <Textarea
          id={id}
          rows={4}
          required
          value={text}
          invalid={fault !== ''}
          onChange={(event) => {
            setText(event.target.value);
            setFault('');
          }}
        />
      </Field>
    </Dialog>
  );
}

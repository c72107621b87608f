import { useQueryClient } from '@tanstack/react-query';
import { Check, X } from 'lucide-react';
import { useId, useState } from 'react';
import { AlertAction, AlertCancel, AlertDialog } from '@/components/ui/alert-dialog';
import { Button, buttonVariants } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { Field } from '@/components/ui/field';
import { Textarea } from '@/components/ui/input';
import { useKeptInput } from '@/hooks/use-kept-input';
import { useSingleMutation } from '@/hooks/use-single-mutation';
import { readDraft } from '@/lib/draft';
import { reasonOf } from '@/lib/errors';
import { toast } from '@/lib/toast';
import { answerEnquiry } from '../mutations';
import { type Enquiry, enquiriesKey } from '../queries';

const MOST = { accept: 1000, decline: 500 } as const;

/** Accepts with an answer, or declines with a reason. Both can be empty; neither can be undone. */
export function AnswerForm({ userId, enquiry }: { userId: string; enquiry: Enquiry }) {
  const client = useQueryClient();
  const id = useId();
  const draft = `answer-${enquiry.id}`;
  const [text, setText] = useState(() => readDraft<string>(draft, userId)?.values ?? '');
  const [asking, setAsking] = useState<'accept' | 'decline'>();
  const drop = useKeptInput(draft, userId, () => text || undefined);
  const answer = useSingleMutation({
    mutationFn: (accept: boolean) => answerEnquiry(enquiry.id, { accept, text }),
    onSuccess: (_, accept) => {
      drop();
      toast.success(accept ? 'Enquiry accepted' : 'Enquiry declined');
    },
    onError: (error) => toast.error('Your answer was not sent', { description: reasonOf(error) }),
    // Also after an error: the state may have changed in the meantime.
    onSettled: () => client.invalidateQueries({ queryKey: enquiriesKey(userId) }),
  });
  const tooLong = text.trim().length > MOST.accept ? 'The answer can have at most 1,000 characters' : undefined;
  const tooLongToDecline = text.trim().length > MOST.decline;
  return (
    <Card padded>
      <h2 className="text-[20px]">Your answer</h2>
      <div className="mt-4">
        <Field
          id={id}
          label="Text"
          hint="Optional: for example your price, or when you’re available. You can answer only once."
          error={tooLong}
          counter={`${text.trim().length} / ${MOST.accept}`}
        >
          <Textarea
            id={id}
            rows={4}
            value={text}
            invalid={Boolean(tooLong)}
            onChange={({ target }) => setText(target.value)}
          />
        </Field>
      </div>
      <div className="mt-5 flex flex-wrap gap-3 max-sm:*:flex-1">
        <Button disabled={Boolean(tooLong) || answer.isPending} onClick={() => setAsking('accept')}>
          <Check aria-hidden="true" />
          Accept
        </Button>
        <Button variant="outline" disabled={Boolean(tooLong) || answer.isPending} onClick={() => setAsking('decline')}>
          <X aria-hidden="true" />
          Decline
        </Button>
      </div>
      <AlertDialog
        open={asking !== undefined}
        onOpenChange={(open) => !open && setAsking(undefined)}
        title={
          asking === 'accept' ? `Accept ${enquiry.sender_name}’s enquiry?` : `Decline ${enquiry.sender_name}’s enquiry?`
        }
        description={
          <p>
            {asking === 'accept'
              ? 'You’ll see each other’s e-mail address. You can’t change your answer afterwards.'
              : tooLongToDecline
                ? 'A reason can have at most 500 characters. Shorten your text first.'
                : text.trim()
                  ? 'Your text is sent as the reason. You can’t change your answer afterwards.'
                  : 'You can’t change your answer afterwards.'}
          </p>
        }
      >
        <AlertCancel className={buttonVariants({ variant: 'outline' })}>Go back</AlertCancel>
        {asking === 'decline' && tooLongToDecline ? null : (
          <AlertAction
            className={buttonVariants({ variant: asking === 'accept' ? 'primary' : 'danger' })}
            onClick={() => answer.mutate(asking === 'accept')}
          >
            {asking === 'accept' ? 'Accept' : 'Decline'}
          </AlertAction>
        )}
      </AlertDialog>
    </Card>
  );
}

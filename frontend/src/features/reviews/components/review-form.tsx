import { zodResolver } from '@hookform/resolvers/zod';
import { useMutation } from '@tanstack/react-query';
import { useRef } from 'react';
import { FormProvider, useForm } from 'react-hook-form';
import { Button } from '@/components/ui/button';
import { cardVariants } from '@/components/ui/card';
import { fieldsOf } from '@/features/editing/components/form-fields';
import { firstFault } from '@/features/editing/faults';
import { messageOf } from '@/lib/errors';
import { toast } from '@/lib/toast';
import { EMPTY_REVIEW, FIELDS, type ReviewForm as Form, MAX_TEXT, MIN_TEXT, reviewForm } from '../schema';
import { keptReview, useKeptReview } from '../use-review-draft';
import { PaidField, StarField } from './star-field';

const { TextareaField } = fieldsOf<Form>();

/** A sent review can't be edited. What was typed is kept until it is sent. */
export function ReviewForm(props: {
  collaboration: string;
  /** The account's id, or 'guest'. */
  author: string;
  asksForPayment: boolean;
  send: (form: Form) => Promise<void>;
  /** Called when the server has stored it, or says that it can't. */
  onSettled: () => void;
}) {
  const { collaboration, author } = props;
  const form = useForm<Form>({
    resolver: zodResolver(reviewForm),
    defaultValues: keptReview(collaboration, author) ?? EMPTY_REVIEW,
    shouldFocusError: false,
  });
  const drop = useKeptReview(collaboration, author, form);
  // The second click of a double click comes before a render shows that the first one sends.
  const sending = useRef(false);
  const sent = useMutation({
    mutationFn: props.send,
    onSuccess: () => {
      toast.success('Review sent');
      drop();
      props.onSettled();
    },
    onError: (error) => {
      toast.error('Failed to send the review', { description: messageOf(error) });
      if ('code' in error && error.code === 'PT409') props.onSettled();
    },
    onSettled: () => {
      sending.current = false;
    },
  });
  const submit = form.handleSubmit(
    (values) => {
      if (sending.current) return;
      sending.current = true;
      sent.mutate(values);
    },
    (errors) => {
      const fault = firstFault(errors, FIELDS);
      if (fault) form.setFocus(fault.name as keyof Form);
    },
  );
  return (
    <FormProvider {...form}>
      <form
        noValidate
        className={cardVariants({ padded: true, className: 'grid gap-5.5' })}
        aria-label="Review"
        onSubmit={(event) => void submit(event)}
      >
        <StarField />
        <TextareaField
          name="text"
          label="Your review"
          required
          rows={6}
          most={MAX_TEXT}
          placeholder="How was it to work together?"
          hint={`At least ${MIN_TEXT} characters. Everybody can read it.`}
        />
        {props.asksForPayment ? <PaidField /> : null}
        <p className="text-muted-foreground text-sm">
          A review can't be changed once it is sent. It appears when both sides have written, or when the 14 days are
          over.
        </p>
        <Button type="submit" size="large" className="justify-self-start max-sm:w-full" busy={sent.isPending}>
          {sent.isPending ? 'Sending...' : 'Send review'}
        </Button>
      </form>
    </FormProvider>
  );
}

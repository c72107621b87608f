import { FormProvider, useForm } from 'react-hook-form';
import { Button } from '@/components/ui/button';
import { cardVariants } from '@/components/ui/card';
import { firstFault } from '@/features/auth/schema';
import { fieldsOf } from '@/features/editing/components/form-fields';
import { useKeptForm } from '@/hooks/use-kept-input';
import { useSingleMutation } from '@/hooks/use-single-mutation';
import { readDraft } from '@/lib/draft';
import { reasonOf } from '@/lib/errors';
import { toast } from '@/lib/toast';
import { EMPTY_REVIEW, type ReviewForm as Form, MAX_TEXT, MIN_TEXT, reviewForm } from '../schema';
import { PaidField, StarField } from './star-field';

const { TextareaField } = fieldsOf<Form>();

/** A sent review can't be edited. */
export function ReviewForm(props: {
  collaboration: string;
  /** The account's id, or 'guest': the link identifies guests. */
  author: string;
  asksForPayment: boolean;
  send: (form: Form) => Promise<void>;
  /** Called when the server has stored or rejected the review. */
  onSettled: () => void;
}) {
  const { author } = props;
  const draft = `review-${props.collaboration}`;
  const form = useForm<Form>({
    resolver: firstFault(reviewForm),
    defaultValues: readDraft<Form>(draft, author)?.values ?? EMPTY_REVIEW,
  });
  const drop = useKeptForm(draft, author, form, EMPTY_REVIEW);
  const sent = useSingleMutation({
    mutationFn: props.send,
    onSuccess: () => {
      toast.success('Review sent');
      drop();
      props.onSettled();
    },
    onError: (error) => {
      toast.error('Failed to send the review', { description: reasonOf(error) });
      if ('code' in error && error.code === 'PT409') props.onSettled();
    },
  });
  return (
    <FormProvider {...form}>
      <form
        noValidate
        className={cardVariants({ padded: true, className: 'grid gap-5.5' })}
        aria-label="Review"
        onSubmit={form.handleSubmit(sent.mutate)}
      >
        <StarField />
        <TextareaField
          name="text"
          label="Your review"
          required
          rows={6}
          most={MAX_TEXT}
          placeholder="How was it to work together?"
          hint={`At least ${MIN_TEXT} characters. Anyone can read it.`}
        />
        {props.asksForPayment ? <PaidField /> : null}
        <p className="text-muted-foreground text-sm">
          You can't change a review once you've sent it. It's published once both sides have written one, or after 14
          days.
        </p>
        <Button type="submit" size="large" className="justify-self-start max-sm:w-full" busy={sent.isPending}>
          {sent.isPending ? 'Sending...' : 'Send review'}
        </Button>
      </form>
    </FormProvider>
  );
}

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { FormProvider, useForm } from 'react-hook-form';
import { Button } from '@/components/ui/button';
import { firstFault } from '@/features/auth/schema';
import { fieldsOf } from '@/features/editing/components/form-fields';
import { saveFailure } from '@/features/editing/failure';
import { useKeptForm } from '@/hooks/use-kept-input';
import { useSingleMutation } from '@/hooks/use-single-mutation';
import { readDraft } from '@/lib/draft';
import { ownInfluencerQuery } from '@/lib/own-influencer-query';
import { toast } from '@/lib/toast';
import { applyForGig } from '../mutations';
import { APPLICATIONS_KEY, leftTodayQuery } from '../queries';
import { apply, EMPTY_APPLICATION, type ApplyForm as Input, PITCH_MOST } from '../schema';

const { TextField, TextareaField } = fieldsOf<Input>();

export function ApplyForm({ userId, gigId, again }: { userId: string; gigId: string; again: boolean }) {
  const client = useQueryClient();
  const draft = `application-${gigId}`;
  const form = useForm<Input>({
    resolver: firstFault(apply),
    defaultValues: readDraft<Input>(draft, userId)?.values ?? EMPTY_APPLICATION,
  });
  const drop = useKeptForm(draft, userId, form, EMPTY_APPLICATION);
  const send = useSingleMutation({
    mutationFn: (input: Input) => applyForGig(gigId, input),
    onSuccess: () => {
      toast.success('Application sent');
      drop();
    },
    onError: (error) => toast.error('Your application was not sent', { description: applyFailure(error) }),
    onSettled: () => {
      // Also after an error: the gig may be full, or a first request whose response was lost may have arrived.
      void client.invalidateQueries({ queryKey: ['gigs', 'list'] });
      return client.invalidateQueries({ queryKey: APPLICATIONS_KEY });
    },
  });
  const left = useLeftToday(userId);
  return (
    <FormProvider {...form}>
      <form noValidate className="grid grid-cols-1 gap-4" onSubmit={form.handleSubmit(send.mutate)}>
        <h2 className="text-[21px]">{again ? 'Apply again' : 'Apply for this gig'}</h2>
        <TextareaField
          name="pitch"
          label="Why you?"
          required
          rows={7}
          most={PITCH_MOST}
          placeholder="Your past work, your audience and when you’re available"
          hint="20 to 1,000 characters. The agency also sees your profile."
        />
        <TextField
          name="quote"
          label="Your quote in RM"
          inputMode="numeric"
          placeholder="e.g. 1,500"
          hint="Optional. In whole ringgit, for all of the work."
        />
        <Button type="submit" size="large" full busy={send.isPending} disabled={left === 0}>
          {send.isPending ? 'Sending...' : 'Send application'}
        </Button>
        <p className="text-center text-muted-foreground text-sm" role="status">
          {left === undefined ? '' : leftText(left)}
        </p>
      </form>
    </FormProvider>
  );
}

/** Shown only near the limit. */
function leftText(left: number): string {
  if (left > 5) return '';
  if (left === 0) return 'You’ve applied for 20 gigs in the last 24 hours. Try again later.';
  return `You can apply for ${left} more ${left === 1 ? 'gig' : 'gigs'} today.`;
}

function useLeftToday(userId: string): number | undefined {
  const own = useQuery(ownInfluencerQuery(userId)).data;
  return useQuery({ ...leftTodayQuery(own ?? ''), enabled: Boolean(own) }).data;
}

function applyFailure(error: unknown): string {
  const code = error && typeof error === 'object' && 'code' in error ? error.code : undefined;
  return code === '42501' ? 'Gigs are for influencers whose profile is approved and verified.' : saveFailure(error);
}

import { zodResolver } from '@hookform/resolvers/zod';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { type FieldErrors, FormProvider, useForm } from 'react-hook-form';
import { Button } from '@/components/ui/button';
import { fieldsOf } from '@/features/editing/components/form-fields';
import { saveFailure } from '@/features/editing/failure';
import { firstFault } from '@/features/editing/faults';
import { toast } from '@/lib/toast';
import { applyForGig } from '../mutations';
import { APPLICATIONS_KEY, leftTodayQuery, ownInfluencerQuery } from '../queries';
import { apply, EMPTY_APPLICATION, type ApplyForm as Input, PITCH_MOST } from '../schema';
import { keptApplication, useKeptApplication } from '../use-text-draft';

const { TextField, TextareaField } = fieldsOf<Input>();

const FIELDS = ['pitch', 'quote'] as const;

export function ApplyForm({ userId, gigId, again }: { userId: string; gigId: string; again: boolean }) {
  const client = useQueryClient();
  const form = useForm<Input>({
    resolver: zodResolver(apply),
    defaultValues: keptApplication(userId, gigId) ?? EMPTY_APPLICATION,
    shouldFocusError: false,
  });
  const drop = useKeptApplication({ userId, gigId, form });
  const sending = useRef(false);
  const send = useMutation({
    mutationFn: (input: Input) => applyForGig(gigId, input),
    onSuccess: () => {
      toast.success('Application sent');
      drop();
    },
    onError: (error) => toast.error('Your application was not sent', { description: applyFailure(error) }),
    onSettled: () => {
      sending.current = false;
      // Also after a refusal: the gig may be full, or a lost first request may have arrived.
      void client.invalidateQueries({ queryKey: ['gigs', 'list'] });
      return client.invalidateQueries({ queryKey: APPLICATIONS_KEY });
    },
  });
  function store(input: Input) {
    // The second click of a double click comes before a render shows that the first one sends.
    if (sending.current) return;
    sending.current = true;
    send.mutate(input);
  }
  function refuse(errors: FieldErrors<Input>) {
    const fault = firstFault(errors, FIELDS);
    if (!fault) return;
    toast.error(fault.message);
    form.setFocus(fault.name as keyof Input);
  }
  const left = useLeftToday(userId);
  return (
    <FormProvider {...form}>
      <form noValidate className="grid grid-cols-1 gap-4" onSubmit={form.handleSubmit(store, refuse)}>
        <h2 className="text-[21px]">{again ? 'Apply again' : 'Apply for this gig'}</h2>
        <TextareaField
          name="pitch"
          label="Why you?"
          required
          rows={7}
          most={PITCH_MOST}
          placeholder="Work you have done, your audience, and when you have time"
          hint="20 to 1,000 characters. The agency also sees your profile."
        />
        <TextField
          name="quote"
          label="Your quote in RM"
          inputMode="numeric"
          placeholder="e.g. 1,500"
          hint="Optional. Whole ringgit for all of the work."
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

/** Only near the limit. */
function leftText(left: number): string {
  if (left > 5) return '';
  if (left === 0) return 'You have applied for 20 gigs in 24 hours. Please apply for this one later.';
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

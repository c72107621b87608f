import { CircleAlert } from 'lucide-react';
import { Controller, FormProvider, useForm } from 'react-hook-form';
import { Link, useLocation } from 'react-router';
import { useSession } from '@/app/session';
import { Banner } from '@/components/ui/banner';
import { Button, buttonVariants } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { DateInput } from '@/components/ui/date-input';
import { firstFault } from '@/features/auth/schema';
import { fieldsOf } from '@/features/editing/components/form-fields';
import { useSingleMutation } from '@/hooks/use-single-mutation';
import { reasonOf } from '@/lib/errors';
import { paths } from '@/lib/paths';
import { keepReturn } from '@/lib/return-to';
import { Refused, type Sent, sendBrief } from '../mutations';
import { type BriefForm, briefSchema } from '../schema';
import { keptBrief, useKeptBrief } from '../use-kept-brief';

const { TextField, TextareaField } = fieldsOf<BriefForm>();

/** The form. `blocked`: the account has reached its daily limit. */
export function BriefFields(props: { to: string[]; blocked: boolean; onSent: (answer: Sent, email: string) => void }) {
  const { account } = useSession();
  const guest = !account;
  const form = useForm<BriefForm>({
    resolver: firstFault(briefSchema(guest)),
    defaultValues: keptBrief(account?.id),
  });
  const drop = useKeptBrief(account?.id, form);
  const send = useSingleMutation({
    mutationFn: (input: BriefForm) => sendBrief(props.to, input),
    onSuccess: (answer, input) => {
      drop();
      props.onSent(answer, input.email);
    },
  });
  return (
    <FormProvider {...form}>
      <Card className="mt-6" padded>
        <form noValidate className="grid gap-5" onSubmit={form.handleSubmit(send.mutate)}>
          <TextareaField
            name="deliverables"
            label="Deliverables"
            required
            rows={3}
            most={500}
            placeholder="e.g. Two Instagram reels and three stories"
          />
          <Pair>
            <TextField name="budget_from" label="Budget from (RM)" placeholder="e.g. 1500" />
            <TextField name="budget_to" label="Budget to (RM)" placeholder="e.g. 3000" />
          </Pair>
          <fieldset>
            <legend className="mb-1.5 font-semibold text-sm">Dates</legend>
            <Pair>
              <DayField name="starts_on" label="From" />
              <DayField name="ends_on" label="Until" />
            </Pair>
          </fieldset>
          <TextareaField
            name="message"
            label="Message"
            required
            rows={7}
            most={2000}
            placeholder="Who you are, what the campaign is about and what you need"
          />
          {guest ? <Guest /> : null}
          {send.error ? <Refusal error={send.error} /> : null}
          <div className="flex flex-wrap items-center justify-end gap-3">
            <Button type="submit" size="large" className="max-sm:w-full" busy={send.isPending} disabled={props.blocked}>
              {send.isPending ? 'Sending...' : props.to.length === 1 ? 'Send enquiry' : `Send to ${props.to.length}`}
            </Button>
          </div>
        </form>
      </Card>
    </FormProvider>
  );
}

const Pair = ({ children }: { children: React.ReactNode }) => (
  <div className="grid grid-cols-2 gap-3.5 *:min-w-0 max-sm:grid-cols-1">{children}</div>
);

function DayField({ name, label }: { name: 'starts_on' | 'ends_on'; label: string }) {
  return (
    <Controller<BriefForm, typeof name>
      name={name}
      render={({ field, fieldState }) => (
        <DateInput
          ref={field.ref}
          label={label}
          value={field.value}
          error={fieldState.error?.message}
          onChange={field.onChange}
        />
      )}
    />
  );
}

function Guest() {
  const { pathname, search } = useLocation();
  return (
    <fieldset className="grid gap-5 border-border border-t pt-5">
      <legend className="float-left mb-1 w-full font-bold text-[17px]">Who you are</legend>
      <p className="-mt-3 text-muted-foreground text-sm">
        You don’t need an account: we’ll e-mail you a link to confirm your address. If you have one,{' '}
        <Link className="font-semibold underline" to={paths.agencyAuth} onClick={() => keepReturn(pathname + search)}>
          sign in
        </Link>
        . Your text is kept.
      </p>
      <Pair>
        <TextField name="name" label="Your name" required autoComplete="name" />
        <TextField name="company" label="Company" autoComplete="organization" />
      </Pair>
      <TextField
        name="email"
        label="Your e-mail"
        type="email"
        required
        autoComplete="email"
        hint="The influencer only sees it after accepting."
      />
    </fieldset>
  );
}

function Refusal({ error }: { error: Error }) {
  const { account } = useSession();
  const isOpen = error instanceof Refused && error.status === 409;
  return (
    <Banner
      tone="red"
      icon={CircleAlert}
      title="Your enquiry was not sent"
      role="alert"
      size="small"
      actions={
        isOpen && account ? (
          <Link className={buttonVariants({ variant: 'outline', size: 'small' })} to={paths.enquiries}>
            See enquiries
          </Link>
        ) : null
      }
    >
      <p>{reasonOf(error)}</p>
    </Banner>
  );
}

import { useId } from 'react';
import { Controller, FormProvider, useForm } from 'react-hook-form';
import { useSession } from '@/app/session';
import { Button } from '@/components/ui/button';
import { choiceVariants } from '@/components/ui/choice';
import { FieldError, RequiredMark } from '@/components/ui/field';
import { firstFault } from '@/features/auth/schema';
import { fieldsOf } from '@/features/editing/components/form-fields';
import { isSessionOver, saveFailure } from '@/features/editing/failure';
import { useKeptForm } from '@/hooks/use-kept-input';
import { useSingleMutation } from '@/hooks/use-single-mutation';
import { readDraft } from '@/lib/draft';
import { toast } from '@/lib/toast';
import { REASONS, type ReportKind } from '../kinds';
import { AlreadyReported, NothingToReport, sendReport } from '../mutations';
import { EMPTY_REPORT, type ReportForm as Form, LONGEST_TEXT, reportForm } from '../schema';

const { TextareaField } = fieldsOf<Form>();

/** Sends one report. */
export function ReportForm(props: {
  userId: string;
  kind: ReportKind;
  id: string;
  onSent: () => void;
  /** The subject was already reported or no longer exists. The page finds out which. */
  onChanged: () => void;
}) {
  const { userId, kind, id } = props;
  const { signOut } = useSession();
  const draft = `report-${kind}-${id}`;
  const form = useForm<Form>({
    resolver: firstFault(reportForm),
    defaultValues: readDraft<Form>(draft, userId)?.values ?? EMPTY_REPORT,
  });
  const drop = useKeptForm(draft, userId, form, EMPTY_REPORT);
  const send = useSingleMutation({
    mutationFn: (input: Form) => sendReport(kind, id, input),
    onSuccess: () => {
      drop();
      props.onSent();
    },
    onError: (error) => {
      if (isSessionOver(error)) return void signOut();
      if (!(error instanceof AlreadyReported) && !(error instanceof NothingToReport)) {
        toast.error('Failed to send the report', { description: saveFailure(error) });
        return;
      }
      drop();
      props.onChanged();
    },
  });
  return (
    <FormProvider {...form}>
      <form noValidate className="mt-7 grid gap-6" onSubmit={form.handleSubmit(send.mutate)}>
        <Reasons />
        <TextareaField
          name="text"
          label="What happened?"
          rows={5}
          most={LONGEST_TEXT}
          hint="Only admins can read this. Don’t include passwords or bank details."
        />
        <Button type="submit" size="large" className="justify-self-start max-sm:w-full" busy={send.isPending}>
          {send.isPending ? 'Sending...' : 'Send report'}
        </Button>
      </form>
    </FormProvider>
  );
}

function Reasons() {
  const id = useId();
  return (
    <Controller<Form, 'reason'>
      name="reason"
      render={({ field, fieldState }) => (
        <fieldset aria-describedby={fieldState.error ? id : undefined}>
          <legend className="mb-2 font-semibold text-sm">
            Reason
            <RequiredMark />
          </legend>
          <div className="grid gap-2.5 sm:grid-cols-2">
            {REASONS.map(([value, label, text], index) => (
              <label key={value} className={choiceVariants({ look: 'row', chosen: field.value === value })}>
                <input
                  ref={index === 0 ? field.ref : undefined}
                  type="radio"
                  name="reason"
                  className="mt-0.5 size-5 flex-none accent-primary outline-none"
                  value={value}
                  required
                  checked={field.value === value}
                  onChange={() => field.onChange(value)}
                />
                <span className="wrap-anywhere min-w-0">
                  <b className="block text-[15.5px] leading-5.5">{label}</b>
                  <span className="text-muted-foreground text-sm">{text}</span>
                </span>
              </label>
            ))}
          </div>
          <div id={id} className="mt-1.5">
            {fieldState.error?.message ? <FieldError>{fieldState.error.message}</FieldError> : null}
          </div>
        </fieldset>
      )}
    />
  );
}

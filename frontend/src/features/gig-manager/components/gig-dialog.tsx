import { zodResolver } from '@hookform/resolvers/zod';
import { useEffect, useMemo, useState } from 'react';
import { type FieldErrors, FormProvider, useForm } from 'react-hook-form';
import { AlertAction, AlertCancel, AlertDialog } from '@/components/ui/alert-dialog';
import { Button, buttonVariants } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { fieldsOf } from '@/features/editing/components/form-fields';
import { firstFault } from '@/features/editing/faults';
import { useSingleMutation } from '@/hooks/use-single-mutation';
import { messageOf } from '@/lib/errors';
import { toast } from '@/lib/toast';
import { createGig, NoAgency, updateGig } from '../mutations';
import { FIELDS, type GigForm, gigSaved, inputOf } from '../schema';
import { type GigDraft, useKeptGig } from '../use-gig-draft';

const { TextField, TextareaField } = fieldsOf<GigForm>();

/**
 * Creates or edits a gig. Closes after saving; a click outside the dialog doesn't discard typed text without asking.
 */
export function GigDialog(props: {
  userId: string;
  draft: GigDraft;
  onClose: () => void;
  onSaved: () => void;
  /** The agency record was deleted: the draft is kept until there is one again. */
  onAgencyGone: () => void;
}) {
  const { userId, draft } = props;
  const { gigId, isNew } = draft;
  const [asking, setAsking] = useState(false);
  const form = useForm<GigForm>({
    resolver: zodResolver(useMemo(() => gigSaved(draft.saved), [draft.saved])),
    defaultValues: inputOf(draft.saved),
    shouldFocusError: false,
  });
  const drop = useKeptGig({ userId, draft, form });
  const { setFocus } = form;
  // Read during render, because react-hook-form only tracks state that is read.
  const { isDirty } = form.formState;
  useEffect(() => {
    // After the dialog has taken the focus, so that it can return the focus when it closes.
    const timer = setTimeout(() => setFocus('title'), 0);
    return () => clearTimeout(timer);
  }, [setFocus]);
  const close = () => {
    drop();
    props.onClose();
  };

  const save = useSingleMutation({
    mutationFn: (input: GigForm) => (isNew ? createGig : updateGig)(userId, gigId, input),
    onSuccess: () => {
      toast.success(isNew ? 'Gig created successfully!' : 'Gig updated successfully!');
      drop();
      props.onSaved();
    },
    onError: (error) => {
      if (!(error instanceof NoAgency)) return toast.error('Failed to save gig', { description: messageOf(error) });
      toast.error(error.message);
      props.onAgencyGone();
    },
  });

  /** Shows only the first error, at its field and in a toast. */
  function refuse(errors: FieldErrors<GigForm>) {
    const fault = firstFault(errors, FIELDS);
    if (!fault) return;
    for (const name of FIELDS) if (name !== fault.name) form.clearErrors(name);
    toast.error(fault.message);
    form.setFocus(fault.name as keyof GigForm);
  }
  function leave() {
    if (save.isPending) return;
    if (isDirty) setAsking(true);
    else close();
  }
  const action = isNew ? 'Create Gig' : 'Save Gig';
  return (
    <FormProvider {...form}>
      <Dialog
        open
        onOpenChange={(open) => !open && leave()}
        title={isNew ? 'Create New Gig' : 'Edit Gig'}
        description="Describe the work, what it pays and how long it takes."
        footer={
          <>
            <Button variant="outline" disabled={save.isPending} onClick={close}>
              Cancel
            </Button>
            <Button type="submit" form="gig" busy={save.isPending}>
              {save.isPending ? 'Saving...' : action}
            </Button>
          </>
        }
      >
        <form id="gig" noValidate className="grid gap-4.5" onSubmit={form.handleSubmit(save.mutate, refuse)}>
          <TextField name="title" label="Title" required placeholder="e.g. Hosts for a food festival" />
          <TextareaField name="description" label="Description" required rows={4} />
          <div className="grid grid-cols-2 gap-3.5 *:min-w-0 max-sm:grid-cols-1">
            <TextField name="budget" label="Budget" placeholder="e.g. RM 1,500 per day" />
            <TextField name="duration" label="Duration" placeholder="e.g. 3 days" />
          </div>
          <TextareaField
            name="requirements"
            label="Requirements"
            rows={2}
            placeholder="Followers, languages, location, equipment"
          />
          <div className="grid grid-cols-2 gap-3.5 *:min-w-0 max-sm:grid-cols-1">
            <TextField name="closes_on" label="Last day to apply" type="date" hint="Leave empty for no deadline." />
            <TextField name="places" label="Places" inputMode="numeric" hint="Leave empty for no limit." />
          </div>
        </form>
      </Dialog>
      {asking ? (
        <AlertDialog
          open
          onOpenChange={setAsking}
          title="Close without saving?"
          description={<p>Your changes to this gig are not saved yet.</p>}
        >
          <AlertAction className={buttonVariants({ variant: 'dangerghost' })} onClick={close}>
            Close without saving
          </AlertAction>
          <AlertCancel className={buttonVariants()}>Keep editing</AlertCancel>
        </AlertDialog>
      ) : null}
    </FormProvider>
  );
}

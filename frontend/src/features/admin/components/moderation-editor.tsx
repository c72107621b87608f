import { zodResolver } from '@hookform/resolvers/zod';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { CircleAlert, Trash2 } from 'lucide-react';
import { useEffect, useState } from 'react';
import { type FieldErrors, useForm } from 'react-hook-form';
import { useNavigate } from 'react-router';
import { useSession } from '@/app/session';
import { Banner } from '@/components/ui/banner';
import { Button } from '@/components/ui/button';
import { useLeaveGuard } from '@/hooks/use-leave-guard';
import { reasonOf } from '@/lib/errors';
import { toast } from '@/lib/toast';
import type { Kind } from '../lists';
import { FIELD_NAMES, formOf, type ModerationForm, moderationForm, moderationFrom } from '../moderation-form';
import { Conflict, removeProfile, saveModeration } from '../mutations';
import { type RecordRow, recordQuery } from '../record-queries';
import { DELETED } from '../use-moderation';
import { DeleteDialog } from './delete-dialog';
import { LeaveDialog } from './leave-dialog';
import { ModerationFields } from './moderation-fields';

/** Identifies the toast about a wrong end date, which is dismissed once the date is corrected. */
const WRONG_END = 'wrong-end';

export function ModerationEditor(props: { kind: Kind; row: RecordRow; back: string; onReload: () => Promise<void> }) {
  const { kind, row, back } = props;
  const client = useQueryClient();
  const navigate = useNavigate();
  const { refresh } = useSession();
  const [deleting, setDeleting] = useState(false);
  /** The row the form started with. Saving fails with a conflict if the stored row has changed since. */
  const [before, setBefore] = useState(row);
  const form = useForm<ModerationForm>({ resolver: zodResolver(moderationForm), defaultValues: formOf(row) });
  const fields = Object.keys(form.formState.dirtyFields) as (keyof ModerationForm)[];
  const guard = useLeaveGuard(fields.length > 0);

  /** Invalidates lists, counts and the log, so that they are refetched when next shown. */
  const changed = () =>
    client.invalidateQueries({ queryKey: ['admin'], predicate: ({ queryKey }) => queryKey[1] !== 'record' });
  function refused(error: unknown) {
    toast.error('Error', { description: reasonOf(error) });
    void refresh();
  }
  const save = useMutation({
    mutationFn: (values: ModerationForm) => saveModeration(kind, before, moderationFrom(values, before)),
    onSuccess: (stored) => {
      client.setQueryData(recordQuery(kind, row.id).queryKey, stored);
      setBefore(stored);
      form.reset(formOf(stored));
      toast.success('Profile updated successfully');
      void changed();
    },
    onError: refused,
  });
  const removal = useMutation({
    mutationFn: () => removeProfile(kind, row.id),
    onSuccess: () => {
      toast.success(DELETED[kind]);
      guard.release();
      navigate(back, { replace: true });
      void changed();
    },
    onError: refused,
  });
  const refuseForm = (errors: FieldErrors<ModerationForm>) => {
    if (errors.end?.message) toast.error(errors.end.message, { id: WRONG_END });
  };
  const isEndWrong = form.formState.errors.end !== undefined;
  useEffect(() => {
    if (!isEndWrong) toast.dismiss(WRONG_END);
  }, [isEndWrong]);
  return (
    <form
      className="grid gap-5"
      noValidate
      onSubmit={(event) => void form.handleSubmit((values) => save.mutate(values), refuseForm)(event)}
    >
      {save.error instanceof Conflict ? (
        <Banner
          tone="red"
          icon={CircleAlert}
          role="alert"
          actions={
            <Button variant="outline" size="small" onClick={() => void props.onReload()}>
              Reload
            </Button>
          }
        >
          <p>{save.error.message}</p>
        </Banner>
      ) : null}
      <ModerationFields form={form} />
      <div className="flex flex-wrap items-center gap-3">
        <Button
          variant="dangerghost"
          className="max-sm:w-full"
          onClick={() => setDeleting(true)}
          busy={removal.isPending}
        >
          <Trash2 aria-hidden="true" />
          Delete profile
        </Button>
        <span className="min-w-0 flex-1 max-sm:hidden" />
        <span className="text-muted-foreground text-sm" role="status">
          {fields.length > 0 ? 'Unsaved changes' : ''}
        </span>
        <Button variant="outline" className="max-sm:w-full" onClick={() => navigate(back)} data-leaves>
          Cancel
        </Button>
        <Button type="submit" className="max-sm:w-full" busy={save.isPending}>
          {save.isPending ? 'Saving...' : 'Save Changes'}
        </Button>
      </div>
      {deleting ? (
        <DeleteDialog
          kind={kind}
          name={row.name}
          onDelete={() => removal.mutate()}
          onClose={() => setDeleting(false)}
        />
      ) : null}
      {guard.isAsking ? (
        <LeaveDialog
          fields={fields.map((field) => FIELD_NAMES[field])}
          onLeave={() => void guard.leave()}
          onStay={guard.stay}
        />
      ) : null}
    </form>
  );
}

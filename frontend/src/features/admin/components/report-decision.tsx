import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useId, useRef, useState } from 'react';
import { useSession } from '@/app/session';
import { AlertAction, AlertCancel, AlertDialog } from '@/components/ui/alert-dialog';
import { Button, buttonVariants } from '@/components/ui/button';
import { choiceVariants } from '@/components/ui/choice';
import { Field } from '@/components/ui/field';
import { Textarea } from '@/components/ui/input';
import { useKeptInput } from '@/hooks/use-kept-input';
import { readDraft } from '@/lib/draft';
import { reasonOf } from '@/lib/errors';
import { toast } from '@/lib/toast';
import { decideReport } from '../report-mutations';
import { REPORTS_KEY, type Report } from '../report-queries';
import { type ActionChoice, actionsFor } from '../reports';

const LONGEST_NOTE = 1000;

interface Typed {
  note: string;
  actions: string[];
}

const NOTHING: Typed = { note: '', actions: [] };

/** The report's subject may have been deleted, and so may its owner's account. */
interface Remaining {
  subject: boolean;
  owner: boolean;
}

/** The note, the actions and the two decisions. Asks before a decision, because it's final and people are notified. */
export function ReportDecision({ report, remaining }: { report: Report; remaining: Remaining }) {
  const id = useId();
  const userId = useSession().account?.id ?? '';
  const draft = `decision-${report.id}`;
  const [typed, setTyped] = useState(() => readDraft<Typed>(draft, userId)?.values ?? NOTHING);
  const drop = useKeptInput(draft, userId, () => (typed.note || typed.actions.length > 0 ? typed : undefined));
  const [fault, setFault] = useState<string>();
  const [asking, setAsking] = useState<'upheld' | 'dismissed'>();
  const field = useRef<HTMLTextAreaElement>(null);
  const client = useQueryClient();
  const choices = actionsFor(report.kind).filter(({ name }) =>
    name === 'block_sender' ? remaining.owner : remaining.subject,
  );
  const chosen = choices.filter(({ name }) => typed.actions.includes(name));
  const decide = useMutation({
    mutationFn: (decision: 'upheld' | 'dismissed') =>
      decideReport({
        id: report.id,
        decision,
        note: typed.note.trim(),
        actions: decision === 'upheld' ? chosen.map(({ name }) => name) : [],
      }),
    onSuccess: (_, decision) => {
      drop();
      toast.success(decision === 'upheld' ? 'Report upheld' : 'Report dismissed');
    },
    onError: (error) => toast.error('The decision was not saved', { description: reasonOf(error) }),
    // Also after a failure: another admin may have been faster.
    onSettled: () => client.invalidateQueries({ queryKey: REPORTS_KEY }),
  });
  function ask(decision: 'upheld' | 'dismissed') {
    const note = typed.note.trim();
    const next = !note
      ? 'Explain the decision in the note'
      : note.length > LONGEST_NOTE
        ? `The note can have at most ${LONGEST_NOTE.toLocaleString('en')} characters`
        : undefined;
    setFault(next);
    if (next) field.current?.focus();
    else setAsking(decision);
  }
  return (
    <div className="mt-4 grid gap-4">
      <Field
        id={id}
        label="Note"
        required
        error={fault}
        hint="Only admins can read it. The audit log keeps it."
        counter={`${typed.note.length} / ${LONGEST_NOTE}`}
      >
        <Textarea
          ref={field}
          id={id}
          rows={4}
          required
          invalid={Boolean(fault)}
          value={typed.note}
          onChange={(event) => setTyped({ ...typed, note: event.target.value })}
        />
      </Field>
      <Actions choices={choices} chosen={typed.actions} onChange={(actions) => setTyped({ ...typed, actions })} />
      <div className="grid grid-cols-2 gap-2.5">
        <Button variant="outline" disabled={decide.isPending} onClick={() => ask('dismissed')}>
          Dismiss
        </Button>
        <Button variant="danger" busy={decide.isPending} onClick={() => ask('upheld')}>
          Uphold
        </Button>
      </div>
      {asking ? (
        <AlertDialog
          open
          onOpenChange={(open) => !open && setAsking(undefined)}
          title={asking === 'upheld' ? 'Uphold this report?' : 'Dismiss this report?'}
          description={<Consequences decision={asking} choices={chosen} ownerIsTold={remaining.owner} />}
        >
          <AlertCancel className={buttonVariants({ variant: 'outline' })}>Cancel</AlertCancel>
          <AlertAction
            className={buttonVariants({ variant: asking === 'upheld' ? 'danger' : 'primary' })}
            onClick={() => decide.mutate(asking)}
          >
            {asking === 'upheld' ? 'Uphold' : 'Dismiss'}
          </AlertAction>
        </AlertDialog>
      ) : null}
    </div>
  );
}

function Consequences(props: { decision: 'upheld' | 'dismissed'; choices: ActionChoice[]; ownerIsTold: boolean }) {
  const { decision, choices } = props;
  if (decision === 'dismissed') return <p>Nothing changes. The reporter is notified.</p>;
  return (
    <>
      <p>
        {props.ownerIsTold ? 'The reporter and the reported account are notified.' : 'The reporter is notified.'} This
        can’t be undone.
      </p>
      {choices.length > 0 ? (
        <ul className="grid list-disc gap-1 pl-5">
          {choices.map(({ name, label }) => (
            <li key={name}>{label}</li>
          ))}
        </ul>
      ) : null}
    </>
  );
}

function Actions(props: { choices: ActionChoice[]; chosen: string[]; onChange: (chosen: string[]) => void }) {
  const { choices, chosen, onChange } = props;
  if (choices.length === 0) return null;
  return (
    <fieldset className="grid gap-2.5">
      <legend className="mb-1.5 font-semibold text-sm">If you uphold it</legend>
      {choices.map(({ name, label, text }) => (
        <label key={name} className={choiceVariants({ look: 'row', chosen: chosen.includes(name) })}>
          <input
            type="checkbox"
            className="mt-0.5 size-5 flex-none accent-primary outline-none"
            checked={chosen.includes(name)}
            onChange={({ target }) =>
              onChange(target.checked ? [...chosen, name] : chosen.filter((other) => other !== name))
            }
          />
          <span className="wrap-anywhere min-w-0">
            <b className="block text-[15px] leading-5.5">{label}</b>
            <span className="text-muted-foreground text-sm">{text}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

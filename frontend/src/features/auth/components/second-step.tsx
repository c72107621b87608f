import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { useSession } from '@/app/session';
import { Loader } from '@/components/empty-state';
import { LoadFailure } from '@/components/load-failure';
import { Button } from '@/components/ui/button';
import { Field } from '@/components/ui/field';
import { Select } from '@/components/ui/select';
import { verify } from '../factor-mutations';
import { type App, securityQuery } from '../factor-queries';
import { adviceFor } from '../wrong-code';
import { CodeField } from './code-field';

interface StepProps {
  /** The label of the button. */
  action: string;
  /** Whether the action can't be undone. */
  danger?: boolean;
  onDone: () => Promise<void> | void;
  onCancel?: () => void;
}

/** Asks for a code of an authenticator app or for a recovery code. Calls `onDone` once the server has accepted it. */
export function SecondStep(props: StepProps) {
  const { account } = useSession();
  const state = useQuery({ ...securityQuery(account?.id ?? ''), enabled: Boolean(account) });
  if (state.isError) {
    return (
      <LoadFailure inside title="Failed to load your apps" error={state.error} retry={() => void state.refetch()} />
    );
  }
  if (!state.data) return <Loader label="Loading your apps..." />;
  return <StepForm {...props} apps={state.data.apps} hasCodes={state.data.codesLeft > 0} />;
}

function StepForm(props: StepProps & { apps: App[]; hasCodes: boolean }) {
  const { apps, hasCodes, action, danger, onDone, onCancel } = props;
  const appField = useId();
  const [app, setApp] = useState(apps[0]?.id ?? '');
  const [recovery, setRecovery] = useState(false);
  const [code, setCode] = useState('');
  const [fault, setFault] = useState<string>();
  const [busy, setBusy] = useState(false);

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (busy) return;
    if (code.trim() === '') {
      setFault(recovery ? 'Recovery code is required' : 'Code is required');
      return;
    }
    setBusy(true);
    setFault(undefined);
    try {
      await verify(app, code.trim());
      await onDone();
    } catch (error) {
      setFault(adviceFor(error, recovery));
      setCode('');
    } finally {
      setBusy(false);
    }
  }
  function change(toRecovery: boolean) {
    setRecovery(toRecovery);
    setCode('');
    setFault(undefined);
  }
  return (
    <form className="grid gap-4.5" onSubmit={(event) => void submit(event)} noValidate>
      {apps.length > 1 && !recovery ? (
        <Field id={appField} label="Authenticator app">
          <Select
            id={appField}
            value={app}
            options={apps.map(({ id, name }) => ({ value: id, label: name }))}
            onChange={setApp}
          />
        </Field>
      ) : null}
      <CodeField
        key={recovery ? 'recovery' : 'app'}
        value={code}
        onChange={setCode}
        error={fault}
        recovery={recovery}
        autoFocus
      />
      <Button type="submit" variant={danger ? 'danger' : 'primary'} size="large" full busy={busy}>
        {busy ? 'Checking...' : action}
      </Button>
      <div className="flex flex-wrap justify-between gap-2">
        {hasCodes || recovery ? (
          <Button variant="ghost" size="small" onClick={() => change(!recovery)}>
            {recovery ? 'Use the app' : 'Use a recovery code'}
          </Button>
        ) : null}
        {onCancel ? (
          <Button variant="ghost" size="small" onClick={onCancel}>
            Cancel
          </Button>
        ) : null}
      </div>
    </form>
  );
}

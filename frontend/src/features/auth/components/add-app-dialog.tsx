import { Copy } from 'lucide-react';
import { type FormEvent, useId, useState } from 'react';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import { copyText } from '@/lib/copy-text';
import { toast } from '@/lib/toast';
import { addApp, type NewApp, newRecoveryCodes, verify } from '../factor-mutations';
import { adviceFor, needsSecondStep } from '../wrong-code';
import { CodeField } from './code-field';
import { SecondStep } from './second-step';

const MOST_LETTERS = 100;

interface AddAppProps {
  /** The names of the account's apps. */
  taken: string[];
  onClose: () => void;
  /** With recovery codes to show, if this is the first app. */
  onAdded: (codes: string[] | undefined) => void;
}

/** Names an app, shows its QR code, and verifies its first code. */
export function AddAppDialog(props: AddAppProps) {
  const [app, setApp] = useState<NewApp>();
  const [asks, setAsks] = useState(false);
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && props.onClose()}
      title="Add an authenticator app"
      description={
        app
          ? 'Scan the QR code with the app, then enter the six digits that it shows.'
          : 'Any app for one-time codes works, for example that of your password manager.'
      }
    >
      {asks ? (
        <SecondStep action="Continue" onDone={() => setAsks(false)} onCancel={props.onClose} />
      ) : app ? (
        <FirstCode app={app} isFirst={props.taken.length === 0} onAdded={props.onAdded} />
      ) : (
        <NameForm taken={props.taken} onNamed={setApp} onStepNeeded={() => setAsks(true)} />
      )}
    </Dialog>
  );
}

function freeName(taken: string[]): string {
  const names = ['My phone', ...taken.map((_, index) => `My phone ${index + 2}`)];
  return names.find((name) => !taken.includes(name)) ?? '';
}

function NameForm(props: { taken: string[]; onNamed: (app: NewApp) => void; onStepNeeded: () => void }) {
  const id = useId();
  const [name, setName] = useState(() => freeName(props.taken));
  const [fault, setFault] = useState<string>();
  const [busy, setBusy] = useState(false);
  async function submit(event: FormEvent) {
    event.preventDefault();
    if (name.trim() === '') {
      setFault('Name is required');
      return;
    }
    setBusy(true);
    setFault(undefined);
    try {
      props.onNamed(await addApp(name.trim()));
    } catch (error) {
      if (needsSecondStep(error)) props.onStepNeeded();
      else setFault(adviceFor(error, false));
    } finally {
      setBusy(false);
    }
  }
  return (
    <form className="grid gap-4.5" onSubmit={(event) => void submit(event)} noValidate>
      <Field id={id} label="Name" hint="Helps you tell your apps apart." error={fault} required>
        <Input
          id={id}
          value={name}
          maxLength={MOST_LETTERS}
          aria-required
          invalid={Boolean(fault)}
          onChange={(event) => setName(event.target.value)}
        />
      </Field>
      <Button type="submit" full busy={busy}>
        {busy ? 'Preparing...' : 'Continue'}
      </Button>
    </form>
  );
}

function FirstCode(props: { app: NewApp; isFirst: boolean; onAdded: (codes: string[] | undefined) => void }) {
  const { app } = props;
  const [code, setCode] = useState('');
  const [fault, setFault] = useState<string>();
  const [busy, setBusy] = useState(false);
  async function submit(event: FormEvent) {
    event.preventDefault();
    if (busy) return;
    if (code.trim() === '') {
      setFault('Code is required');
      return;
    }
    setBusy(true);
    setFault(undefined);
    try {
      await verify(app.id, code.trim());
    } catch (error) {
      setFault(adviceFor(error, false));
      setCode('');
      setBusy(false);
      return;
    }
    // Without them the page still offers to create codes.
    const codes = props.isFirst ? await newRecoveryCodes().catch(() => undefined) : undefined;
    // The dialog with the codes says enough, and a toast would cover its button on a phone.
    if (!codes) toast.success('Authenticator app added', { description: 'Your other sessions were signed out.' });
    props.onAdded(codes);
  }
  const copy = () => copyText(app.secret, { copied: 'Key copied', otherwise: 'Type the key into the app.' });
  return (
    <form className="grid gap-4.5" onSubmit={(event) => void submit(event)} noValidate>
      <img
        src={app.qrCode}
        alt="QR code for your authenticator app"
        width={208}
        height={208}
        className="mx-auto rounded-lg bg-white"
      />
      <div className="grid gap-1.5">
        <p className="text-muted-foreground text-sm">Can't scan it? Type this key into the app:</p>
        <div className="flex flex-wrap items-center gap-2">
          <code className="wrap-anywhere min-w-0 flex-1 rounded-md bg-muted px-3 py-2 font-mono text-[15px]">
            {app.secret.match(/.{1,4}/g)?.join(' ')}
          </code>
          <Button variant="outline" size="small" onClick={() => void copy()}>
            <Copy aria-hidden="true" />
            Copy key
          </Button>
        </div>
      </div>
      <CodeField value={code} onChange={setCode} error={fault} />
      <Button type="submit" size="large" full busy={busy}>
        {busy ? 'Checking...' : 'Verify'}
      </Button>
    </form>
  );
}

import { Eye, EyeOff } from 'lucide-react';
import { type FormEvent, useId, useRef, useState } from 'react';
import { Button } from '@/components/ui/button';
import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import type { Credentials, FieldFault } from '../schema';

/** E-mail and password. Faults come from outside; the field with the fault gets the focus. */
export function CredentialsForm(props: {
  action: string;
  busyAction: string;
  busy: boolean;
  newPassword?: boolean;
  email: string;
  onEmail: (email: string) => void;
  check: (input: Credentials) => FieldFault | undefined;
  onSubmit: (input: Credentials) => void;
}) {
  const [password, setPassword] = useState('');
  const [shown, setShown] = useState(false);
  const [fault, setFault] = useState<FieldFault>();
  const form = useRef<HTMLFormElement>(null);
  const [email, secret] = [useId(), useId()];

  function submit(event: FormEvent) {
    event.preventDefault();
    const input = { email: props.email.trim(), password };
    const found = props.check(input);
    setFault(found);
    if (found) form.current?.querySelector<HTMLInputElement>(`[name="${found.field}"]`)?.focus();
    else props.onSubmit(input);
  }
  const faultOf = (field: FieldFault['field']) => (fault?.field === field ? fault.message : undefined);
  const Icon = shown ? EyeOff : Eye;
  return (
    <form ref={form} className="stack" style={{ gap: 18 }} onSubmit={submit} noValidate>
      <Field id={email} label="E-mail" error={faultOf('email')}>
        <Input
          id={email}
          name="email"
          type="email"
          autoComplete="username"
          value={props.email}
          invalid={Boolean(faultOf('email'))}
          onChange={(event) => props.onEmail(event.target.value)}
        />
      </Field>
      <Field id={secret} label="Password" error={faultOf('password')}>
        <Input
          id={secret}
          name="password"
          type={shown ? 'text' : 'password'}
          autoComplete={props.newPassword ? 'new-password' : 'current-password'}
          value={password}
          invalid={Boolean(faultOf('password'))}
          onChange={(event) => setPassword(event.target.value)}
          end={
            <button
              type="button"
              className="ib s"
              style={{ marginRight: -8 }}
              aria-label={shown ? 'Hide password' : 'Show password'}
              aria-pressed={shown}
              onClick={() => setShown(!shown)}
            >
              <Icon className="i i18" aria-hidden="true" />
            </button>
          }
        />
      </Field>
      <Button type="submit" size="large" full busy={props.busy}>
        {props.busy ? props.busyAction : props.action}
      </Button>
    </form>
  );
}

import { useId } from 'react';
import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';

/** For the code of an app, or a recovery code. */
export function CodeField(props: {
  value: string;
  onChange: (value: string) => void;
  error: string | undefined;
  recovery?: boolean;
  autoFocus?: boolean;
}) {
  const id = useId();
  const recovery = Boolean(props.recovery);
  return (
    <Field
      id={id}
      label={recovery ? 'Recovery code' : 'Code'}
      hint={recovery ? 'For example abcd-efgh-ijkl-mnop.' : 'The six digits that your authenticator app shows.'}
      error={props.error}
      required
    >
      <Input
        id={id}
        name="code"
        value={props.value}
        inputMode={recovery ? 'text' : 'numeric'}
        autoComplete="one-time-code"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={recovery ? 30 : 10}
        aria-required
        invalid={Boolean(props.error)}
        autoFocus={props.autoFocus}
        onChange={(event) => props.onChange(event.target.value)}
      />
    </Field>
  );
}

import { Eye, EyeOff } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import type { UseFormRegisterReturn } from 'react-hook-form';
import { Field } from '@/components/ui/field';
import { IconButton } from '@/components/ui/icon-button';
import { Input } from '@/components/ui/input';

interface AccountField {
  /** The return value of the form's `register`. */
  field: UseFormRegisterReturn;
  error: string | undefined;
  required?: boolean;
}

export function EmailField({ field, error, required }: AccountField) {
  const id = useId();
  return (
    <Field id={id} label="E-mail" error={error} required={required}>
      <Input
        id={id}
        type="email"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        aria-required={required}
        invalid={Boolean(error)}
        {...field}
      />
    </Field>
  );
}

export function PasswordField(
  props: AccountField & { label?: string; isNew?: boolean; hint?: string; beside?: ReactNode },
) {
  const [shown, setShown] = useState(false);
  const id = useId();
  const Icon = shown ? EyeOff : Eye;
  return (
    <Field
      id={id}
      label={props.label ?? 'Password'}
      error={props.error}
      required={props.required}
      hint={props.hint}
      beside={props.beside}
    >
      <Input
        id={id}
        type={shown ? 'text' : 'password'}
        autoComplete={props.isNew ? 'new-password' : 'current-password'}
        autoCapitalize="none"
        spellCheck={false}
        aria-required={props.required}
        invalid={Boolean(props.error)}
        {...props.field}
        end={
          <IconButton
            size="small"
            className="-mr-2"
            aria-label={shown ? 'Hide password' : 'Show password'}
            aria-pressed={shown}
            onClick={() => setShown(!shown)}
          >
            <Icon className="size-4.5" aria-hidden="true" />
          </IconButton>
        }
      />
    </Field>
  );
}

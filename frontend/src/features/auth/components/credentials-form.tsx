import { type UseFormReturn, useWatch } from 'react-hook-form';
import { Link } from 'react-router';
import { Button } from '@/components/ui/button';
import { accountPaths } from '@/lib/account-paths';
import { withQuery } from '@/lib/with-query';
import type { Credentials } from '../schema';
import { EmailField, PasswordField } from './account-fields';

/** E-mail and password. Disabled while a request is in progress. */
export function CredentialsForm(props: {
  form: UseFormReturn<Credentials>;
  /** The portal of this form. */
  login: string;
  action: string;
  busyAction: string;
  isNew?: boolean;
  required?: boolean;
  onSubmit: (input: Credentials) => Promise<void>;
}) {
  const { register, handleSubmit, control, formState } = props.form;
  const { errors, isSubmitting } = formState;
  const email = useWatch({ control, name: 'email' });
  const forgot = (
    <Link
      className="inline-block py-0.75 font-semibold text-sm underline decoration-input underline-offset-3"
      to={withQuery(accountPaths.forgotPassword, { portal: props.login })}
      // Passed as router state, to keep the e-mail address out of the URL.
      state={{ email }}
    >
      Forgot password?
    </Link>
  );
  return (
    <form className="grid gap-4.5" onSubmit={handleSubmit(props.onSubmit)} noValidate>
      <EmailField field={register('email')} error={errors.email?.message} required={props.required} />
      <PasswordField
        field={register('password')}
        error={errors.password?.message}
        required={props.required}
        isNew={props.isNew}
        hint={props.isNew ? 'At least 6 characters.' : undefined}
        beside={props.isNew ? undefined : forgot}
      />
      <Button type="submit" size="large" full busy={isSubmitting}>
        {isSubmitting ? props.busyAction : props.action}
      </Button>
    </form>
  );
}

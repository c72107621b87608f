import { useEffect, useState } from 'react';
import { useForm } from 'react-hook-form';
import { Navigate, useNavigate, useSearchParams } from 'react-router';
import { useSession } from '@/app/session';
import { Loader } from '@/components/empty-state';
import { Button } from '@/components/ui/button';
import { usePageTitle } from '@/hooks/use-page-title';
import { accountPaths } from '@/lib/account-paths';
import { toast } from '@/lib/toast';
import { withQuery } from '@/lib/with-query';
import { nextOf } from '../mailed-link';
import { savePassword } from '../mutations';
import { destination, loginForDashboard, loginNamed } from '../portals';
import { codeOf, isSessionGone, type Refusal, refusalOf } from '../refusal';
import { firstFault, type NewPassword, newPassword } from '../schema';
import { PasswordField } from './account-fields';
import { RefusalBanner } from './refusal-banner';
import { SecondStep } from './second-step';
import { FormTitle, SignInLayout } from './sign-in-layout';

/** Error codes about the password itself, which are shown at the field. */
const PASSWORD_ERRORS = new Set<unknown>(['weak_password', 'same_password', 'validation_failed']);

/** Reached through a password reset or an invitation link, which has signed the user in. */
export function NewPasswordPage() {
  usePageTitle('New password');
  const [query] = useSearchParams();
  const { status } = useSession();
  const next = nextOf(query);
  const login = loginForDashboard(next) ?? loginNamed(null);
  if (status === 'loading') return <Loader label="Loading..." />;
  if (status === 'out') return <Navigate to={withQuery(accountPaths.forgotPassword, { portal: login.name })} replace />;
  return (
    <SignInLayout seed="new-password" back={{ name: 'Back to Sign In', to: login.signIn }}>
      <NewPasswordForm next={next} />
    </SignInLayout>
  );
}

function NewPasswordForm({ next }: { next: string | undefined }) {
  const navigate = useNavigate();
  const session = useSession();
  const [refusal, setRefusal] = useState<Refusal>();
  const [stepNeeded, setStepNeeded] = useState(false);
  const form = useForm<NewPassword>({ resolver: firstFault(newPassword), defaultValues: { password: '' } });
  const { errors, isSubmitting } = form.formState;
  useEffect(() => form.setFocus('password'), [form]);

  async function save({ password }: NewPassword) {
    setRefusal(undefined);
    try {
      await savePassword(password);
      toast.success('Your password has changed', { description: 'Your other sessions were signed out.' });
      navigate(destination(next, session), { replace: true });
    } catch (error) {
      if (isSessionGone(error)) {
        navigate(withQuery(accountPaths.linkExpired, { type: 'recovery', next }), { replace: true });
        await session.signOut();
        return;
      }
      if (codeOf(error) === 'insufficient_aal') {
        setStepNeeded(true);
        return;
      }
      const refused = refusalOf(error);
      if (PASSWORD_ERRORS.has(codeOf(error))) {
        form.setError('password', { message: refused.title }, { shouldFocus: true });
        return;
      }
      setRefusal(refused);
      toast.error(refused.title, { description: refused.text });
    }
  }
  const email = session.account?.email ?? '';
  if (stepNeeded) {
    return (
      <>
        <FormTitle title="Enter your code" text="Your account has a second factor. Then the new password is saved." />
        <div className="mt-6.5">
          <SecondStep
            action="Save new password"
            onDone={async () => {
              setStepNeeded(false);
              await save(form.getValues());
            }}
            onCancel={() => setStepNeeded(false)}
          />
        </div>
      </>
    );
  }
  return (
    <>
      <FormTitle title="Set a new password" text={`For ${email}.`} />
      <RefusalBanner refusal={refusal} />
      <form className={refusal ? 'grid gap-4.5' : 'mt-6.5 grid gap-4.5'} onSubmit={form.handleSubmit(save)} noValidate>
        {/* Tells password managers which account the password belongs to. */}
        <input type="text" name="email" autoComplete="username" value={email} readOnly hidden />
        <PasswordField
          field={form.register('password')}
          error={errors.password?.message}
          label="New password"
          hint="At least 6 characters."
          required
          isNew
        />
        <Button type="submit" size="large" full busy={isSubmitting}>
          {isSubmitting ? 'Saving...' : 'Save new password'}
        </Button>
      </form>
      <p className="mt-6 border-border border-t pt-5 text-muted-foreground text-sm">
        You'll be signed in here once it is saved.
      </p>
    </>
  );
}

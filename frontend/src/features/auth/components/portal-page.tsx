import { FileClock, MailCheck } from 'lucide-react';
import { Tabs } from 'radix-ui';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { Link, Navigate, useLocation, useNavigate, useSearchParams } from 'react-router';
import { useSession } from '@/app/session';
import { buttonVariants } from '@/components/ui/button';
import { tabListVariants, tabVariants } from '@/components/ui/tabs';
import { hasDraft } from '@/lib/draft';
import { dropReturn, returnPath } from '@/lib/return-to';
import { toast } from '@/lib/toast';
import { signIn, signUp, WrongPortal } from '../mutations';
import { type Login, loginFor, type Portal } from '../portals';
import { codeOf, type Refusal, refusalOf } from '../refusal';
import { type Credentials, credentials, firstFault } from '../schema';
import { ChosenPackage } from './chosen-package';
import { CredentialsForm } from './credentials-form';
import { NoticeBanner } from './notice-banner';
import { RefusalBanner } from './refusal-banner';
import { RightLogin } from './right-login';
import { SecondStep } from './second-step';
import { SendConfirmation } from './send-confirmation';
import { FormTitle, SignInLayout } from './sign-in-layout';

const TO_CONFIRM = { title: 'Success!', text: 'Please check your email to confirm your account' };

/** Sign in or sign up for one portal. Accounts with another role are rejected. */
export function PortalPage({ portal }: { portal: Portal }) {
  const navigate = useNavigate();
  const { status, roles, signOut } = useSession();
  const [stepNeeded, setStepNeeded] = useState(false);
  const [params] = useSearchParams();
  const { state } = useLocation();
  const [tab, setTab] = useState(params.get('tab') === 'sign-up' ? 'up' : 'in');
  const [refusal, setRefusal] = useState<Refusal & { email?: string; unconfirmed?: boolean; login?: Login }>();
  const [toConfirm, setToConfirm] = useState<string>();
  // A page that needs an account may have sent the visitor here.
  const [returnTo] = useState(returnPath);
  const after = returnTo ?? portal.dashboard;
  // Both tabs share one form, so that typed values are kept when switching.
  const form = useForm<Credentials>({
    resolver: firstFault(credentials),
    defaultValues: { email: typeof state?.email === 'string' ? state.email : '', password: '' },
  });

  function begin() {
    setRefusal(undefined);
    setToConfirm(undefined);
  }
  function refuse(error: unknown, { email }: Credentials) {
    const next = error instanceof WrongPortal ? portal.denied : refusalOf(error);
    const login = error instanceof WrongPortal ? loginFor(error.roles) : undefined;
    setRefusal({ ...next, email, login, unconfirmed: codeOf(error) === 'email_not_confirmed' });
    toast.error(next.title, { description: next.text });
  }
  function leave() {
    // The next sign-in leads to the dashboard again.
    dropReturn();
    navigate(after);
  }
  function welcome() {
    toast.success(portal.welcome.title, { description: portal.welcome.text });
    leave();
  }
  async function enter(input: Credentials) {
    begin();
    try {
      if ((await signIn(portal, input)) === 'second step') setStepNeeded(true);
      else welcome();
    } catch (error) {
      refuse(error, input);
    }
  }
  async function join(input: Credentials) {
    begin();
    try {
      if ((await signUp(portal, input)) === 'signed in') {
        toast.success('Account created successfully! You can now sign in.');
        leave();
        return;
      }
      toast.success(TO_CONFIRM.title, { description: TO_CONFIRM.text });
      setToConfirm(input.email);
      setTab('in');
    } catch (error) {
      refuse(error, input);
    }
  }
  if (stepNeeded) {
    return (
      <SignInLayout seed={portal.userType}>
        <FormTitle title="Enter your code" text="Your account has a second factor." />
        <div className="mt-6.5">
          <SecondStep
            action="Continue"
            onDone={welcome}
            onCancel={() => {
              setStepNeeded(false);
              void signOut();
            }}
          />
        </div>
      </SignInLayout>
    );
  }
  if (status === 'in' && portal.accepts(roles) && !form.formState.isSubmitting) {
    return <Navigate to={after} replace />;
  }
  const isNew = tab === 'up';
  return (
    <SignInLayout seed={portal.userType}>
      <FormTitle title={portal.title} text={portal.text} />
      <ChosenPackage userType={portal.userType} name={params.get('package')} />
      <RefusalBanner refusal={refusal}>
        {refusal?.unconfirmed ? <SendConfirmation login={portal.userType} email={refusal.email ?? ''} /> : null}
        {refusal?.login ? <RightLogin login={refusal.login} email={refusal.email ?? ''} /> : null}
      </RefusalBanner>
      {toConfirm ? (
        <NoticeBanner icon={MailCheck} {...TO_CONFIRM}>
          <SendConfirmation login={portal.userType} email={toConfirm} />
        </NoticeBanner>
      ) : null}
      {status === 'out' && hasDraft(portal.userType) ? (
        <NoticeBanner
          icon={FileClock}
          title="You were signed out"
          text="Your changes are kept in this tab. Sign in again to continue."
        />
      ) : null}
      <Tabs.Root
        value={tab}
        onValueChange={(next) => {
          setTab(next);
          setRefusal(undefined);
          form.clearErrors();
        }}
      >
        <Tabs.List
          className={tabListVariants({ look: 'halves', className: 'mt-6.5 mb-5.5' })}
          aria-label="Sign in or sign up"
        >
          <Tabs.Trigger value="in" className={tabVariants({ look: 'segment' })}>
            Sign In
          </Tabs.Trigger>
          <Tabs.Trigger value="up" className={tabVariants({ look: 'segment' })}>
            Sign Up
          </Tabs.Trigger>
        </Tabs.List>
        <Tabs.Content value={tab}>
          <CredentialsForm
            form={form}
            login={portal.userType}
            isNew={isNew}
            action={isNew ? 'Sign Up' : 'Sign In'}
            busyAction={isNew ? 'Creating account...' : 'Signing in...'}
            onSubmit={isNew ? join : enter}
          />
        </Tabs.Content>
      </Tabs.Root>
      <div className="mt-7 grid gap-4 border-border border-t pt-5">
        <p className="text-muted-foreground text-sm">{portal.notThis}</p>
        <div className="grid grid-cols-2 gap-3 *:min-w-0">
          {portal.siblings.map((sibling) => (
            <Link
              key={sibling.to}
              className={buttonVariants({ variant: 'outline', className: 'max-[360px]:whitespace-normal' })}
              to={sibling.to}
            >
              {sibling.name}
            </Link>
          ))}
        </div>
      </div>
    </SignInLayout>
  );
}

import { ArrowRight } from 'lucide-react';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { Link, Navigate, useLocation, useNavigate } from 'react-router';
import { useSession } from '@/app/session';
import { buttonVariants } from '@/components/ui/button';
import { paths } from '@/lib/paths';
import { toast } from '@/lib/toast';
import { signInAdmin, WrongPortal } from '../mutations';
import { isAdmin, type Login, loginFor } from '../portals';
import { type Refusal, refusalOf } from '../refusal';
import { adminCredentials, type Credentials, firstFault } from '../schema';
import { CredentialsForm } from './credentials-form';
import { RefusalBanner } from './refusal-banner';
import { RightLogin } from './right-login';
import { SecondStep } from './second-step';
import { FormTitle, SignInLayout } from './sign-in-layout';

const OTHER_LOGINS = [
  ['Influencer Login', paths.auth],
  ['Agency Login', paths.agencyAuth],
  ['Vendor Login', paths.vendorAuth],
] as const;

function wordsFor(error: unknown): Refusal {
  if (error instanceof WrongPortal) return { title: 'Access denied', text: "You don't have admin privileges" };
  const { title, text } = refusalOf(error);
  return { title: 'Login failed', text: text ? `${title}. ${text}` : title };
}

export function AdminLoginPage() {
  const navigate = useNavigate();
  const { status, roles, staffAccess, refresh, signOut } = useSession();
  const { state } = useLocation();
  const [stepNeeded, setStepNeeded] = useState(false);
  const [refusal, setRefusal] = useState<Refusal & { login?: Login }>();
  const form = useForm<Credentials>({
    resolver: firstFault(adminCredentials),
    defaultValues: { email: typeof state?.email === 'string' ? state.email : '', password: '' },
  });
  function welcome() {
    toast.success('Welcome back!', { description: 'Admin login successful' });
    navigate(paths.admin);
  }
  async function enter(input: Credentials) {
    setRefusal(undefined);
    try {
      if ((await signInAdmin(input)) === 'second step') setStepNeeded(true);
      else welcome();
    } catch (error) {
      const next = wordsFor(error);
      setRefusal({ ...next, login: error instanceof WrongPortal ? loginFor(error.roles) : undefined });
      toast.error(next.title, { description: next.text });
    }
  }
  const isIn = status === 'in' && isAdmin(roles);
  if (stepNeeded || (isIn && staffAccess === 'verify')) {
    return (
      <SignInLayout seed="admin" staff>
        <FormTitle title="Enter your code" text="Your account has a second factor." />
        <div className="mt-6.5">
          <SecondStep
            action="Continue"
            onDone={async () => {
              await refresh();
              welcome();
            }}
            onCancel={() => {
              setStepNeeded(false);
              void signOut();
            }}
          />
        </div>
      </SignInLayout>
    );
  }
  if (isIn && !form.formState.isSubmitting) return <Navigate to={paths.admin} replace />;
  return (
    <SignInLayout seed="admin" staff>
      <FormTitle title="Admin login" text="For admins and super admins." />
      <RefusalBanner refusal={refusal}>
        {refusal?.login ? <RightLogin login={refusal.login} email={form.getValues('email')} /> : null}
      </RefusalBanner>
      <div className={refusal ? '' : 'mt-6.5'}>
        <CredentialsForm
          form={form}
          login="admin"
          required
          action="Sign In"
          busyAction="Signing in..."
          onSubmit={enter}
        />
      </div>
      <div className="mt-7 grid gap-4 border-border border-t pt-5">
        <p className="text-muted-foreground text-sm">Not an admin?</p>
        <div className="grid gap-2">
          {OTHER_LOGINS.map(([name, to]) => (
            <Link key={to} className={buttonVariants({ variant: 'outline', full: true })} to={to}>
              <span className="min-w-0 flex-1">{name}</span>
              <ArrowRight aria-hidden="true" />
            </Link>
          ))}
        </div>
      </div>
    </SignInLayout>
  );
}

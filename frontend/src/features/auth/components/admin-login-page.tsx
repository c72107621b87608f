import { useMutation } from '@tanstack/react-query';
import { ArrowRight } from 'lucide-react';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { toast } from 'sonner';
import { messageOf } from '@/lib/errors';
import { paths } from '@/lib/paths';
import { signInAdmin, WrongPortal } from '../mutations';
import type { Credentials, FieldFault } from '../schema';
import { CredentialsForm } from './credentials-form';
import { type Refusal, RefusalBanner } from './refusal-banner';
import { SignInLayout } from './sign-in-layout';

/** The staff door: greens alone, no faces. */
const GREENS = ['#0B2F27', '#0F4D3F', '#176554', '#0D3B31'] as const;

const DOORS = [
  ['Influencer Login', paths.auth],
  ['Agency Login', paths.agencyAuth],
  ['Vendor Login', paths.vendorAuth],
] as const;

/** Only that both are there and the address looks like one: the server says the rest. */
function check({ email, password }: Credentials): FieldFault | undefined {
  if (!/^\S+@\S+$/.test(email))
    return { field: 'email', message: email ? 'Invalid email address' : 'E-mail is required' };
  if (!password) return { field: 'password', message: 'Password is required' };
  return undefined;
}

export function AdminLoginPage() {
  const navigate = useNavigate();
  const [email, setEmail] = useState('');
  const [refusal, setRefusal] = useState<Refusal>();
  const enter = useMutation({
    mutationFn: signInAdmin,
    onSuccess: () => {
      toast.success('Welcome back!', { description: 'Admin login successful' });
      navigate(paths.admin);
    },
    onError: (error) => {
      const next =
        error instanceof WrongPortal
          ? { title: 'Access denied', text: "You don't have admin privileges" }
          : { title: 'Login failed', text: messageOf(error) };
      setRefusal(next);
      toast.error(next.title, { description: next.text });
    },
  });
  return (
    <SignInLayout title="Admin login" text="For admins and super admins." portraits={[]} seed="admin" palette={GREENS}>
      <RefusalBanner refusal={refusal} />
      <div style={{ marginTop: refusal ? 0 : 26 }}>
        <CredentialsForm
          email={email}
          onEmail={setEmail}
          check={check}
          action="Sign In"
          busyAction="Signing in..."
          busy={enter.isPending}
          onSubmit={(input) => {
            setRefusal(undefined);
            enter.mutate(input);
          }}
        />
      </div>
      <div className="other-doors">
        <p className="sm muted">Not an admin?</p>
        <div className="stack" style={{ gap: 8 }}>
          {DOORS.map(([name, to]) => (
            <Link key={to} className="btn outline full" style={{ justifyContent: 'flex-start' }} to={to}>
              <span className="grow">{name}</span>
              <ArrowRight className="i" aria-hidden="true" />
            </Link>
          ))}
        </div>
      </div>
    </SignInLayout>
  );
}

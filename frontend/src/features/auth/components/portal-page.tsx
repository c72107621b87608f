import { useMutation } from '@tanstack/react-query';
import { Tabs } from 'radix-ui';
import { useState } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { toast } from 'sonner';
import aisyah from '@/assets/portraits/aisyah.svg';
import harjit from '@/assets/portraits/harjit.svg';
import kavitha from '@/assets/portraits/kavitha.svg';
import meilin from '@/assets/portraits/meilin.svg';
import { messageOf } from '@/lib/errors';
import { signIn, signUp, WrongPortal } from '../mutations';
import type { Portal } from '../portals';
import { type Credentials, firstFault } from '../schema';
import { CredentialsForm } from './credentials-form';
import { type Refusal, RefusalBanner } from './refusal-banner';
import { SignInLayout, type WallPortrait } from './sign-in-layout';

const PORTRAITS: WallPortrait[] = [
  { src: harjit, ground: '#FCE6AE', shape: 'circ' },
  { src: kavitha, ground: '#FF7A66', shape: 'arch' },
  { src: meilin, ground: '#F6B93B', shape: 'leafd' },
  { src: aisyah, ground: '#BFE3CF', shape: 'circ' },
];

/** Sign in or sign up for one portal; who holds another role is turned away. */
export function PortalPage({ portal }: { portal: Portal }) {
  const navigate = useNavigate();
  const [params] = useSearchParams();
  const [tab, setTab] = useState(params.get('tab') === 'sign-up' ? 'up' : 'in');
  const [email, setEmail] = useState('');
  const [refusal, setRefusal] = useState<Refusal>();

  function refuse(next: Refusal) {
    setRefusal(next);
    toast.error(next.title, { description: next.text });
  }
  const enter = useMutation({
    mutationFn: (input: Credentials) => signIn(portal, input),
    onSuccess: () => {
      toast.success('Signed in successfully!');
      navigate(portal.dashboard);
    },
    onError: (error) => refuse(error instanceof WrongPortal ? portal.denied : { title: messageOf(error) }),
  });
  const join = useMutation({
    mutationFn: (input: Credentials) => signUp(portal, input),
    onSuccess: (outcome) => {
      toast.success('Account created successfully! You can now sign in.');
      if (outcome === 'signed in') navigate(portal.dashboard);
      else setTab('in');
    },
    onError: (error) => refuse({ title: isTaken(error) ? TAKEN : messageOf(error) }),
  });
  const start = (run: (input: Credentials) => void) => (input: Credentials) => {
    setRefusal(undefined);
    run(input);
  };
  const form = { email, onEmail: setEmail, check: firstFault };

  return (
    <SignInLayout title={portal.title} text={portal.text} portraits={PORTRAITS} seed={portal.userType}>
      <RefusalBanner refusal={refusal} />
      <Tabs.Root
        value={tab}
        onValueChange={(next) => {
          setTab(next);
          setRefusal(undefined);
        }}
      >
        <Tabs.List className="seg two" aria-label="Sign in or sign up">
          <Tabs.Trigger value="in" className={tab === 'in' ? 'on' : ''}>
            Sign In
          </Tabs.Trigger>
          <Tabs.Trigger value="up" className={tab === 'up' ? 'on' : ''}>
            Sign Up
          </Tabs.Trigger>
        </Tabs.List>
        <Tabs.Content value="in">
          <CredentialsForm
            {...form}
            action="Sign In"
            busyAction="Signing in..."
            busy={enter.isPending}
            onSubmit={start(enter.mutate)}
          />
        </Tabs.Content>
        <Tabs.Content value="up">
          <CredentialsForm
            {...form}
            newPassword
            action="Sign Up"
            busyAction="Creating account..."
            busy={join.isPending}
            onSubmit={start(join.mutate)}
          />
        </Tabs.Content>
      </Tabs.Root>
      <div className="other-doors">
        <p className="sm muted">{portal.notThis}</p>
        <div className="cols2" style={{ gap: 12 }}>
          {portal.siblings.map((sibling) => (
            <Link key={sibling.to} className="btn outline" to={sibling.to}>
              {sibling.name}
            </Link>
          ))}
        </div>
      </div>
    </SignInLayout>
  );
}

const TAKEN = 'This email is already registered. Please sign in instead.';

function isTaken(error: unknown): boolean {
  const code = error && typeof error === 'object' && 'code' in error ? error.code : undefined;
  return code === 'user_already_exists' || code === 'email_exists';
}

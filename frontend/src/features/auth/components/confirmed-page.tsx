import type { ReactNode } from 'react';
import { Link, Navigate, useSearchParams } from 'react-router';
import { type Session, useSession } from '@/app/session';
import { Loader } from '@/components/empty-state';
import { buttonVariants } from '@/components/ui/button';
import { usePageTitle } from '@/hooks/use-page-title';
import { nextOf } from '../mailed-link';
import { destination, loginForDashboard, loginNamed } from '../portals';
import { AccountNotice } from './account-notice';
import { SealedEnvelope } from './mail-drawings';
import { SignInLayout } from './sign-in-layout';

interface Outcome {
  title: string;
  text: (session: Session) => ReactNode;
}

const address = (session: Session) => <b>{session.account?.email ?? 'your new e-mail'}</b>;

const CONFIRMED: Outcome = {
  title: 'Your e-mail is confirmed',
  text: (session) =>
    session.account ? <>You're signed in as {address(session)}.</> : 'You can sign in to your account now.',
};

const OUTCOMES: Record<string, Outcome> = {
  signup: CONFIRMED,
  change: {
    title: 'Your e-mail has changed',
    text: (session) => <>From now on, sign in with {address(session)}.</>,
  },
  half: {
    title: 'First address confirmed',
    text: () =>
      'This address is confirmed. Now open the link we sent to your other address. Your e-mail changes once both are confirmed.',
  },
};

/** Shown after a valid link: what it did, and a button to the account's dashboard. */
export function ConfirmedPage() {
  usePageTitle('E-mail confirmed');
  const [query] = useSearchParams();
  const session = useSession();
  const next = nextOf(query);
  const what = query.get('what') ?? '';
  if (session.status === 'loading') return <Loader label="Loading..." />;
  const onward = destination(next, session);
  if (what === 'sign-in' && session.status === 'in') return <Navigate to={onward} replace />;
  const { title, text } = OUTCOMES[what] ?? CONFIRMED;
  return (
    <SignInLayout seed="confirmed">
      <AccountNotice role="status" drawing={<SealedEnvelope />} title={title} text={text(session)}>
        {session.status === 'in' ? (
          <Link className={buttonVariants({ size: 'large', full: true })} to={onward}>
            {session.dashboardPath ? 'Go to Dashboard' : 'Go to Home'}
          </Link>
        ) : (
          <Link
            className={buttonVariants({ size: 'large', full: true })}
            to={(loginForDashboard(next) ?? loginNamed(null)).signIn}
          >
            Sign In
          </Link>
        )}
      </AccountNotice>
    </SignInLayout>
  );
}

import type { ReactNode } from 'react';
import { Link, useLocation } from 'react-router';
import { useSession } from '@/app/session';
import { buttonVariants } from '@/components/ui/button';
import { keepReturn } from '@/lib/return-to';
import { EmptyState, Loader } from './empty-state';
import { LOGINS } from './layout/logins';

interface Sentences {
  /** Completes 'Sign in to …'. */
  to: string;
  text?: string;
  /** Shown inside a page that has its own title. */
  inside?: boolean;
}

/** The content of an account. Visitors are asked to sign in. */
export function SignedIn(props: Sentences & { loading?: ReactNode; children: (userId: string) => ReactNode }) {
  const { loading, children, ...sentences } = props;
  const { status, account } = useSession();
  if (status === 'out') return <SignInFirst {...sentences} />;
  if (account) return children(account.id);
  return (
    loading ?? (
      <main className="wrap pt-10">
        <Loader label="Loading..." />
      </main>
    )
  );
}

/** Leads to the sign-in pages, which lead back to this page. */
export function SignInFirst({ to, text, inside }: Sentences) {
  const { pathname, search, hash } = useLocation();
  const links = (
    <EmptyState
      level={inside ? 'h2' : 'h1'}
      title={`Sign in to ${to}`}
      text={text ?? 'You return to this page afterwards.'}
    >
      {LOGINS.map((login) => (
        <Link
          key={login.to}
          className={buttonVariants({ variant: 'outline' })}
          to={login.to}
          onClick={() => keepReturn(pathname + search + hash)}
        >
          {login.name}
        </Link>
      ))}
    </EmptyState>
  );
  return inside ? links : <main className="wrap pt-10">{links}</main>;
}

import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useSession } from '@/app/session';
import { EmptyState, Loader } from '@/components/empty-state';
import { buttonVariants } from '@/components/ui/button';
import { paths } from '@/lib/paths';

/** For pages of any signed-in account. Visitors are asked to sign in. */
export function SignedIn({ children }: { children: (userId: string) => ReactNode }) {
  const { status, account } = useSession();
  if (account) return children(account.id);
  return (
    <main className="wrap pt-10">
      {status === 'loading' ? (
        <Loader label="Loading..." />
      ) : (
        <EmptyState
          level="h1"
          title="Sign in to see your enquiries"
          text="Sent one without an account? The link in our e-mail to you shows it."
        >
          <Link className={buttonVariants()} to={paths.auth}>
            Sign In
          </Link>
        </EmptyState>
      )}
    </main>
  );
}

import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useSession } from '@/app/session';
import { buttonVariants } from '@/components/ui/button';
import { paths } from '@/lib/paths';
import { EmptyState } from './empty-state';

const PORTALS = [
  { to: paths.auth, name: 'As influencer' },
  { to: paths.agencyAuth, name: 'As agency' },
  { to: paths.vendorAuth, name: 'As vendor' },
];

/** Content of an account. Visitors choose where to sign in. */
export function SignedIn(props: { to: string; loading: ReactNode; children: (userId: string) => ReactNode }) {
  const { status, account } = useSession();
  if (status === 'out') {
    return (
      <EmptyState title={`Sign in to ${props.to}`} text="Then open this page again.">
        {PORTALS.map(({ to, name }) => (
          <Link key={to} className={buttonVariants({ variant: 'outline' })} to={to}>
            {name}
          </Link>
        ))}
      </EmptyState>
    );
  }
  return account ? props.children(account.id) : props.loading;
}

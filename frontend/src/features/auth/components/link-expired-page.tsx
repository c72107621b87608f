import { Link, useSearchParams } from 'react-router';
import { buttonVariants } from '@/components/ui/button';
import { usePageTitle } from '@/hooks/use-page-title';
import { accountPaths } from '@/lib/account-paths';
import { withQuery } from '@/lib/with-query';
import { nextOf } from '../mailed-link';
import { loginForDashboard, loginNamed } from '../portals';
import { AccountNotice } from './account-notice';
import { BrokenSeal } from './mail-drawings';
import { SignInLayout } from './sign-in-layout';

/** For each link type: what has not changed, and where to request a new link. */
const KINDS: Record<string, { unchanged: string; again: string }> = {
  recovery: { unchanged: ' Your password has not changed.', again: accountPaths.forgotPassword },
  signup: { unchanged: ' If you already confirmed your e-mail, sign in.', again: accountPaths.sendConfirmation },
  email_change: { unchanged: ' Your e-mail has not changed.', again: accountPaths.sendChange },
};
const OTHER = { unchanged: '', again: accountPaths.forgotPassword };

export function LinkExpiredPage() {
  usePageTitle('Link expired');
  const [query] = useSearchParams();
  const { unchanged, again } = KINDS[query.get('type') ?? ''] ?? OTHER;
  const login = loginForDashboard(nextOf(query)) ?? loginNamed(null);
  return (
    <SignInLayout seed="expired">
      <AccountNotice
        role="alert"
        drawing={<BrokenSeal />}
        title="This link no longer works"
        text={`It was already used, or it has expired.${unchanged}`}
      >
        <Link className={buttonVariants({ size: 'large', full: true })} to={withQuery(again, { portal: login.name })}>
          Send a new link
        </Link>
        <Link className={buttonVariants({ variant: 'ghost', full: true })} to={login.signIn}>
          Back to Sign In
        </Link>
      </AccountNotice>
    </SignInLayout>
  );
}

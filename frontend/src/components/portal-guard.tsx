import { type ReactNode, useEffect } from 'react';
import { Navigate, useNavigate } from 'react-router';
import { useSession } from '@/app/session';
import type { Role } from '@/lib/session';
import { toast } from '@/lib/toast';
import { Loader } from './empty-state';
import { LoadFailure } from './load-failure';

/**
 * Guards a portal's dashboard: visitors are sent to its sign-in page, and accounts without the portal's role are signed
 * out. An account with several roles needs only one to match.
 */
export function PortalGuard(props: {
  portal: Role;
  signIn: string;
  denied: string;
  /** Shown when the account's roles can't be loaded. */
  failed: string;
  children: (userId: string) => ReactNode;
}) {
  const { portal, signIn, denied } = props;
  const { status, account, roles, failed, signOut, refresh } = useSession();
  const navigate = useNavigate();
  const isWrong = status === 'in' && !failed && !roles.includes(portal);
  useEffect(() => {
    if (!isWrong) return;
    toast.error(denied, { id: denied });
    void signOut().then(() => navigate(signIn, { replace: true }));
  }, [isWrong, denied, signIn, signOut, navigate]);

  if (status === 'out') return <Navigate to={signIn} replace />;
  if (failed) return <LoadFailure title={props.failed} error={undefined} retry={() => void refresh()} />;
  if (status === 'loading' || isWrong || !account) return <Loader label="Loading your profile..." />;
  return props.children(account.id);
}

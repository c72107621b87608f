import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react';
import { queryClient } from '@/lib/query-client';
import { type Account, type Identity, NOBODY, type Page, signOut, watchAccount } from '@/lib/session';
import { mayBeSignedIn } from '@/lib/stored-session';

export interface Session extends Identity {
  /** 'loading' until the stored session and its roles have been read. */
  status: 'loading' | 'out' | 'in';
  account: Account | undefined;
  signOut: () => Promise<void>;
  /** Reads the roles and display name again, after the profile was saved. */
  refresh: () => Promise<void>;
}

/** Visitors don't need the lookup. If its file can't be loaded, the lookup has failed. */
const identityOf = (account: Account): Promise<Identity> =>
  import('@/lib/identity').then(
    (identity) => identity.identityOf(account),
    () => ({ ...NOBODY, failed: true }),
  );

const SessionContext = createContext<Session | undefined>(undefined);

export function SessionProvider({ children }: { children: ReactNode }) {
  const [account, setAccount] = useState<Account>();
  // Without a stored session the status is known immediately, and the page renders only once.
  const [known, setKnown] = useState(() => !mayBeSignedIn());
  const [identity, setIdentity] = useState<Identity>();

  useEffect(
    () =>
      watchAccount((next) => {
        setKnown(true);
        setAccount((now) => (now?.id === next?.id && now?.email === next?.email ? now : next));
      }),
    [],
  );

  useEffect(() => {
    setIdentity(undefined);
    if (!account) return;
    let current = true;
    // Deferred: auth-js holds a lock while it reports a change, and the lookup needs that lock to read the token.
    const timer = setTimeout(() => {
      void identityOf(account).then((found) => {
        if (current) setIdentity(found);
      });
    }, 0);
    return () => {
      current = false;
      clearTimeout(timer);
      // Clears what the previous user loaded or was saving.
      queryClient.getMutationCache().clear();
      void queryClient.resetQueries();
    };
  }, [account]);

  const session = useMemo<Session>(
    () => ({
      status: !known || (account && !identity) ? 'loading' : account ? 'in' : 'out',
      account,
      ...(identity ?? NOBODY),
      signOut,
      refresh: async () => {
        if (!account) return;
        const found = await identityOf(account);
        setIdentity((now) => (found.failed && now ? now : found));
      },
    }),
    [known, account, identity],
  );
  return <SessionContext value={session}>{children}</SessionContext>;
}

export function useSession(): Session {
  const session = useContext(SessionContext);
  if (!session) throw new Error('useSession needs a SessionProvider above it');
  return session;
}

export type PageState = 'open' | 'closed' | 'unknown' | 'failed';

/**
 * Whether an admin has closed a page to this account. Visitors and accounts without a record are not affected, and
 * visitors never wait for the lookup. 'failed': unknown until the lookup is tried again.
 */
export function usePageState(page: Page): PageState {
  const { status, closedPages, failed } = useSession();
  if (failed) return 'failed';
  if (closedPages.includes(page)) return 'closed';
  return status === 'loading' && mayBeSignedIn() ? 'unknown' : 'open';
}

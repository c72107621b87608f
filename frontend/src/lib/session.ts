// The signed-in account of this browser. Its roles, name and portal are in identity.ts.
import { mayBeSignedIn, SESSION_KEY } from './stored-session';
import { auth, authInUse } from './supabase';

export type Role = 'influencer' | 'agency' | 'vendor' | 'admin' | 'superadmin';

export interface Account {
  id: string;
  email: string;
}

/** The pages that an admin can close to one account: `access_{page}_page` of its own record. */
export const PAGES = ['influencer', 'agencies', 'events', 'gigs'] as const;
export type Page = (typeof PAGES)[number];

export interface Identity {
  roles: Role[];
  role: Role | undefined;
  displayName: string | undefined;
  dashboardPath: string | undefined;
  /** The account's portrait or logo. */
  picture: string | undefined;
  closedPages: Page[];
  /** For admins: whether the database lets them use their role in this session. They may have to enter a code first, or to
   * add a second factor.
   */
  staffAccess?: 'granted' | 'verify' | 'enroll';
  /** The lookup failed: the account's roles are unknown, which is different from having none. */
  failed?: boolean;
}

export const NOBODY: Identity = {
  roles: [],
  role: undefined,
  displayName: undefined,
  dashboardPath: undefined,
  picture: undefined,
  closedPages: [],
};

/** Reports the account now and at every change. Returns a function that stops listening. */
export function watchAccount(report: (account: Account | undefined) => void): () => void {
  let stop = () => {};
  let stopped = false;
  void authInUse.then((client) => {
    if (stopped) return;
    const { data } = client.onAuthStateChange((_event, session) => {
      report(session ? { id: session.user.id, email: session.user.email ?? '' } : undefined);
    });
    stop = () => data.subscription.unsubscribe();
  });
  if (mayBeSignedIn()) void auth();
  else report(undefined);
  // The user may sign in or out in another tab.
  const look = ({ key, newValue }: StorageEvent) => {
    if (key !== SESSION_KEY) return;
    if (newValue === null) report(undefined);
    else void auth();
  };
  window.addEventListener('storage', look);
  return () => {
    stopped = true;
    stop();
    window.removeEventListener('storage', look);
  };
}

/** Ends this browser's session even if the server can't be reached, in which case auth-js would keep it. */
export async function signOut(): Promise<void> {
  const { error } = await (await auth()).signOut({ scope: 'local' });
  if (!error) return;
  window.localStorage.removeItem(SESSION_KEY);
  // The browser sends storage events only to other tabs, so dispatch one in this tab.
  window.dispatchEvent(new StorageEvent('storage', { key: SESSION_KEY, newValue: null }));
}

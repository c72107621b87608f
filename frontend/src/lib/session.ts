// The signed-in account with its roles, display name and portal.

import { paths } from './paths';
import { mayBeSignedIn, SESSION_KEY } from './stored-session';
import { auth, authInUse, rest } from './supabase';

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

/** The most privileged role comes first; an account with several roles uses the first. */
const ORDER: Role[] = ['superadmin', 'admin', 'influencer', 'agency', 'vendor'];

const DASHBOARDS: Record<Role, string> = {
  influencer: paths.dashboard,
  agency: paths.agencyDashboard,
  vendor: paths.vendorDashboard,
  admin: paths.admin,
  superadmin: paths.admin,
};

export async function rolesOf(userId: string): Promise<Role[]> {
  const { data, error } = await rest().from('user_roles').select('role').eq('user_id', userId);
  if (error) throw error;
  return data.map((row) => row.role as Role);
}

/** After a failed lookup, the header shows the account without a name, and guarded pages offer to try again. */
export async function identityOf(account: Account): Promise<Identity> {
  try {
    const roles = await rolesOf(account.id);
    const role = ORDER.find((candidate) => roles.includes(candidate));
    if (!role) return { ...NOBODY, roles };
    const record = await recordOf(account, role);
    return {
      roles,
      role,
      displayName: record.name || undefined,
      dashboardPath: DASHBOARDS[role],
      picture: record.picture || undefined,
      closedPages: PAGES.filter((page) => record.access?.[`access_${page}_page`] === false),
    };
  } catch {
    return { ...NOBODY, failed: true };
  }
}

type Access = { [Key in `access_${Page}_page`]?: boolean | null };

interface OwnRecord {
  name: string | null | undefined;
  picture?: string | null;
  access?: Access | null;
}

const ACCESS = 'access_influencer_page,access_agencies_page,access_events_page,access_gigs_page' as const;

/** Loads what the header shows and the guards need in one request for the account's own record. */
async function recordOf(account: Account, role: Role): Promise<OwnRecord> {
  switch (role) {
    case 'influencer': {
      const { data, error } = await rest()
        .from('influencers')
        .select(`name,username,profile_image,${ACCESS}`)
        .eq('user_id', account.id)
        .maybeSingle();
      if (error) throw error;
      return { name: data?.name || data?.username, picture: data?.profile_image, access: data };
    }
    case 'agency': {
      const { data, error } = await rest()
        .from('agencies')
        .select(`name,logo_url,${ACCESS}`)
        .eq('user_id', account.id)
        .maybeSingle();
      if (error) throw error;
      return { name: data?.name, picture: data?.logo_url, access: data };
    }
    case 'vendor': {
      const { data, error } = await rest()
        .from('vendors')
        .select(`name,logo_url,${ACCESS}`)
        .eq('user_id', account.id)
        .maybeSingle();
      if (error) throw error;
      return { name: data?.name ?? (await emailOf(account.id)), picture: data?.logo_url, access: data };
    }
    default:
      return { name: await emailOf(account.id) };
  }
}

async function emailOf(id: string): Promise<string | null | undefined> {
  const { data, error } = await rest().from('profiles').select('email').eq('id', id).maybeSingle();
  if (error) throw error;
  return data?.email;
}

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

// Who is signed in, and which portal is theirs: the role rows and the display name, by role.

import { paths } from './paths';
import { auth, rest } from './supabase';

export type Role = 'influencer' | 'agency' | 'vendor' | 'admin' | 'superadmin';

export interface Account {
  id: string;
  email: string;
}

export interface Identity {
  roles: Role[];
  role: Role | undefined;
  displayName: string | undefined;
  dashboardPath: string | undefined;
}

export const NOBODY: Identity = { roles: [], role: undefined, displayName: undefined, dashboardPath: undefined };

/** The strongest role leads where several are held. */
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

/** Look-up failures are silent: the header then shows the account without a name. */
export async function identityOf(account: Account): Promise<Identity> {
  try {
    const roles = await rolesOf(account.id);
    const role = ORDER.find((candidate) => roles.includes(candidate));
    if (!role) return { ...NOBODY, roles };
    const displayName = (await nameOf(account, role)) || undefined;
    return { roles, role, displayName, dashboardPath: DASHBOARDS[role] };
  } catch {
    return NOBODY;
  }
}

async function nameOf(account: Account, role: Role): Promise<string | null | undefined> {
  const byUser = { column: 'user_id', value: account.id } as const;
  switch (role) {
    case 'influencer': {
      const { data } = await rest()
        .from('influencers')
        .select('name,username')
        .eq(byUser.column, byUser.value)
        .maybeSingle();
      return data?.name || data?.username;
    }
    case 'agency': {
      const { data } = await rest().from('agencies').select('name').eq(byUser.column, byUser.value).maybeSingle();
      return data?.name;
    }
    case 'vendor': {
      const { data } = await rest().from('vendors').select('name').eq(byUser.column, byUser.value).maybeSingle();
      return data?.name ?? (await emailOf(account.id));
    }
    default:
      return emailOf(account.id);
  }
}

async function emailOf(id: string): Promise<string | null | undefined> {
  const { data } = await rest().from('profiles').select('email').eq('id', id).maybeSingle();
  return data?.email;
}

export async function currentAccount(): Promise<Account | undefined> {
  const { data } = await auth().getSession();
  const user = data.session?.user;
  return user ? { id: user.id, email: user.email ?? '' } : undefined;
}

/** Reports the account now and at every change; returns how to stop listening. */
export function watchAccount(report: (account: Account | undefined) => void): () => void {
  const { data } = auth().onAuthStateChange((_event, session) => {
    report(session ? { id: session.user.id, email: session.user.email ?? '' } : undefined);
  });
  return () => data.subscription.unsubscribe();
}

export async function signOut(): Promise<void> {
  // 'local': this browser's session; a refused or lost answer still clears it here.
  await auth().signOut({ scope: 'local' });
}

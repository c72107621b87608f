// Looks up an account's roles, display name and portal. Loaded only when a user is signed in.
import { paths } from './paths';
import { type Account, type Identity, NOBODY, PAGES, type Page, type Role } from './session';
import { rest } from './supabase';

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
    const [record, staffAccess] = await Promise.all([recordOf(account, role), accessOf(role)]);
    return {
      roles,
      role,
      displayName: record.name || undefined,
      dashboardPath: DASHBOARDS[role],
      picture: record.picture || undefined,
      staffAccess,
      closedPages: PAGES.filter((page) => record.access?.[`access_${page}_page`] === false),
    };
  } catch {
    return { ...NOBODY, failed: true };
  }
}

async function accessOf(role: Role): Promise<Identity['staffAccess']> {
  if (role !== 'admin' && role !== 'superadmin') return undefined;
  const { data, error } = await rest().rpc('staff_access', {}, { get: true });
  if (error) throw error;
  return (data as Identity['staffAccess']) ?? undefined;
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

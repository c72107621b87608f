import { type Role, rolesOf, signOut } from '@/lib/session';
import { auth } from '@/lib/supabase';
import type { Portal } from './portals';
import type { Credentials } from './schema';

/** Signed in, but not for this door: the session is gone again. */
export class WrongPortal extends Error {}

/** Signs in and checks the role; whoever does not belong here is signed out before anybody sees a session. */
async function signInAs(input: Credentials, accepts: (roles: Role[]) => boolean): Promise<void> {
  const { data, error } = await (await auth()).signInWithPassword(input);
  if (error) throw error;
  const roles = await rolesOf(data.user.id);
  if (!accepts(roles)) {
    await signOut();
    throw new WrongPortal();
  }
}

export const signIn = (portal: Portal, input: Credentials) => signInAs(input, portal.accepts);

export const signInAdmin = (input: Credentials) =>
  signInAs(input, (roles) => roles.includes('admin') || roles.includes('superadmin'));

/** Whether the account can be used at once; else the address has to be confirmed first. */
export async function signUp(portal: Portal, input: Credentials): Promise<'signed in' | 'confirm'> {
  const { data, error } = await (await auth()).signUp({
    ...input,
    options: {
      data: { user_type: portal.userType },
      emailRedirectTo: new URL(portal.dashboard, window.location.origin).toString(),
    },
  });
  if (error) throw error;
  return data.session ? 'signed in' : 'confirm';
}

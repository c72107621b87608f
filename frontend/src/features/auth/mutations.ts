import { rolesOf } from '@/lib/identity';
import { type Role, signOut } from '@/lib/session';
import { auth } from '@/lib/supabase';
import type { MailedLink } from './mailed-link';
import { isAdmin, type Portal } from './portals';
import { AlreadyRegistered, codeOf } from './refusal';
import type { Credentials } from './schema';

/** The account signed in but lacks the portal's role. It has been signed out again. */
export class WrongPortal extends Error {
  constructor(readonly roles: Role[]) {
    super();
  }
}

/** Whether the sign-in is complete, or a code of the second factor comes next. */
export type SignInResult = 'signed in' | 'second step';

/** Signs in and checks the roles. Signs out again if the account lacks the role, or if its roles can't be read. */
async function signInAs(input: Credentials, accepts: (roles: Role[]) => boolean): Promise<SignInResult> {
  const client = await auth();
  const { data, error } = await client.signInWithPassword(input);
  if (error) throw error;
  const roles = await rolesOf(data.user.id).catch(async (failure) => {
    await signOut();
    throw failure;
  });
  if (!accepts(roles)) {
    await signOut();
    throw new WrongPortal(roles);
  }
  const hasFactor = data.user.factors?.some(({ status }) => status === 'verified');
  return hasFactor ? 'second step' : 'signed in';
}

export const signIn = (portal: Portal, input: Credentials) => signInAs(input, portal.accepts);

export const signInAdmin = (input: Credentials) => signInAs(input, isAdmin);

const here = (path: string) => new URL(path, window.location.origin).toString();

/** Returns whether the account can be used immediately or needs e-mail confirmation first. */
export async function signUp(portal: Portal, input: Credentials): Promise<'signed in' | 'confirm'> {
  const { data, error } = await (await auth()).signUp({
    ...input,
    options: { data: { user_type: portal.userType }, emailRedirectTo: here(portal.afterConfirmation) },
  });
  if (error) throw error;
  // If confirmation is required, the server responds to a registered address with a user without identities.
  if (data.user?.identities?.length === 0) throw new AlreadyRegistered();
  return data.session ? 'signed in' : 'confirm';
}

export type MailKind = 'recovery' | 'signup' | 'email_change';

/** Requests an e-mail. Never says whether one was sent, because that would reveal which addresses have an account. */
export async function requestMail(kind: MailKind, email: string, leadsTo: string): Promise<void> {
  const client = await auth();
  const { error } =
    kind === 'recovery'
      ? await client.resetPasswordForEmail(email, { redirectTo: here(leadsTo) })
      : await client.resend({ type: kind, email, options: { emailRedirectTo: here(leadsTo) } });
  // Only registered addresses reach this rate limit, so showing it would reveal the account.
  if (error && codeOf(error) !== 'over_email_send_rate_limit') throw error;
}

/** Redeems the link. Returns whether it signed the user in; the first half of an e-mail change does not. */
export async function follow(link: Exclude<MailedLink, { kind: 'broken' }>): Promise<boolean> {
  const client = await auth();
  switch (link.kind) {
    case 'token': {
      const { data, error } = await client.verifyOtp({ token_hash: link.tokenHash, type: link.type });
      if (error) throw error;
      return data.session !== null;
    }
    case 'code': {
      const { error } = await client.exchangeCodeForSession(link.code);
      if (error) throw error;
      return true;
    }
    case 'session': {
      const { error } = await client.initialize();
      if (error) throw error;
      return (await client.getSession()).data.session !== null;
    }
  }
}

/** The server also ends the account's other sessions. */
export async function savePassword(password: string): Promise<void> {
  const { error } = await (await auth()).updateUser({ password });
  if (error) throw error;
}

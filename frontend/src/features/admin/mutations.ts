import { FunctionsFetchError, FunctionsHttpError } from '@supabase/functions-js';
import { functions } from '@/lib/functions';
import { rolesOf } from '@/lib/identity';
import type { Role } from '@/lib/session';
import { auth, rest } from '@/lib/supabase';
import { type Kind, TABLES } from './lists';
import { MODERATED, type Moderation, type RecordRow, recordOf } from './record-queries';
import { STAFF_ROLES, type StaffRole } from './staff-queries';

/** Another admin changed the row first, so it no longer matches what was shown. */
export class Conflict extends Error {}

const GONE = 'This profile no longer exists. Someone else deleted it.';
const ALREADY_APPROVED = 'Someone else already approved this account.';
const CHANGED = 'Someone else changed this profile in the meantime. Your changes were not saved.';
const ADMIN_GONE = 'This admin user no longer exists. Someone else deleted it.';

export const NOT_ADMIN = 'You need admin privileges';
export const NOT_SUPERADMIN = 'You need superadmin privileges';

/** A row without permission and a deleted row look the same in the response, so this checks the caller's own roles. */
async function requireRole(roles: readonly Role[], message: string): Promise<void> {
  const { data } = await (await auth()).getSession();
  const held = data.session ? await rolesOf(data.session.user.id) : [];
  if (!held.some((role) => roles.includes(role))) throw new Error(message);
}

export interface Approval {
  approved: string[];
  /** The reason for each account that was not approved. */
  refused: Map<string, string>;
}

/** Sends one request for all accounts. Accounts that can't be approved don't affect the others. */
export async function approve(ids: string[]): Promise<Approval> {
  const { data, error } = await rest()
    .from('influencers')
    .update({ approved: true })
    .in('id', ids)
    .is('approved', false)
    .select('id');
  if (error) throw error;
  const approved = data.map((row) => row.id ?? '');
  const missing = ids.filter((id) => !approved.includes(id));
  if (missing.length === 0) return { approved, refused: new Map() };
  await requireRole(STAFF_ROLES, NOT_ADMIN);
  const there = await rest().from('influencers').select('id').in('id', missing).is('approved', true);
  if (there.error) throw there.error;
  const known = new Set(there.data.map((row) => row.id));
  return { approved, refused: new Map(missing.map((id) => [id, known.has(id) ? ALREADY_APPROVED : GONE])) };
}

export async function removeProfile(kind: Kind, id: string): Promise<void> {
  const { data, error } = await rest().from(TABLES[kind]).delete().eq('id', id).select('id');
  if (error) throw error;
  if (data.length > 0) return;
  await requireRole(STAFF_ROLES, NOT_ADMIN);
  throw new Conflict(GONE);
}

/** Saves only if the profile is unchanged since it was read, so that admins never overwrite each other unnoticed. */
export async function saveModeration(kind: Kind, before: RecordRow, after: Moderation): Promise<RecordRow> {
  let request = rest()
    .from(TABLES[kind] as 'influencers')
    .update(after)
    .eq('id', before.id);
  for (const field of MODERATED) {
    const value = before[field];
    request = value === null ? request.is(field, null) : request.eq(field, value);
  }
  const { data, error } = await request.select('id');
  if (error) throw error;
  if (data.length === 0) await requireRole(STAFF_ROLES, NOT_ADMIN);
  const stored = await recordOf(kind, before.id);
  if (!stored) throw new Conflict(GONE);
  if (data.length === 0) throw new Conflict(CHANGED);
  return stored;
}

/** Removes the role records; the account itself stays. */
export async function removeAdmin(userId: string): Promise<void> {
  const { data, error } = await rest()
    .from('user_roles')
    .delete()
    .eq('user_id', userId)
    .in('role', STAFF_ROLES)
    .select('user_id');
  if (error) throw error;
  if (data.length > 0) return;
  await requireRole(['superadmin'], NOT_SUPERADMIN);
  throw new Conflict(ADMIN_GONE);
}

/** Removes the second factor of another admin, who is signed out and notified by e-mail. */
export async function resetFactor(userId: string): Promise<void> {
  const { error } = await rest().rpc('reset_factor', { account: userId });
  if (error) throw error;
}

export interface NewAdmin {
  email: string;
  password: string;
  role: StaffRole;
}

const CREATE_FAILED = 'Failed to create admin user';

/** The function reports errors as JSON with an `error` field, but a proxy may respond with anything. */
export async function createAdmin(input: NewAdmin): Promise<void> {
  const { error } = await functions().invoke('create-admin', { body: input });
  if (!error) return;
  if (error instanceof FunctionsFetchError) throw new TypeError(error.message);
  const body: unknown =
    error instanceof FunctionsHttpError ? await (error.context as Response).json().catch(() => undefined) : undefined;
  const message = body && typeof body === 'object' && 'error' in body ? body.error : undefined;
  throw new Error(typeof message === 'string' && message ? message : CREATE_FAILED);
}

import { FunctionsFetchError, FunctionsHttpError } from '@supabase/functions-js';
import { functions } from '@/lib/functions';
import { type Role, rolesOf } from '@/lib/session';
import { auth, rest } from '@/lib/supabase';
import { type Kind, TABLES } from './lists';
import { MODERATED, type Moderation, type RecordRow, recordOf } from './record-queries';
import { STAFF_ROLES, type StaffRole } from './staff-queries';

/** Somebody else was quicker: what one wanted to act on is not as one saw it. */
export class Conflict extends Error {}

const GONE = 'This profile no longer exists. Somebody else has deleted it.';
const ALREADY_APPROVED = 'Somebody else has already approved this account.';
const CHANGED = 'Somebody else has changed this profile meanwhile. Nothing of yours was saved.';
const ADMIN_GONE = 'This admin user no longer exists. Somebody else has deleted it.';

export const NOT_ADMIN = 'You need admin privileges';
export const NOT_SUPERADMIN = 'You need superadmin privileges';

/** A row that one may not touch and one that is gone look the same: the caller's own roles tell them apart. */
async function insistOnRole(roles: readonly Role[], message: string): Promise<void> {
  const { data } = await (await auth()).getSession();
  const held = data.session ? await rolesOf(data.session.user.id) : [];
  if (!held.some((role) => roles.includes(role))) throw new Error(message);
}

export interface Approval {
  approved: string[];
  /** Why the others are not. */
  refused: Map<string, string>;
}

/** One request for one or for many; each stands for itself. */
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
  await insistOnRole(STAFF_ROLES, NOT_ADMIN);
  const there = await rest().from('influencers').select('id').in('id', missing).is('approved', true);
  if (there.error) throw there.error;
  const known = new Set(there.data.map((row) => row.id));
  return { approved, refused: new Map(missing.map((id) => [id, known.has(id) ? ALREADY_APPROVED : GONE])) };
}

export async function removeProfile(kind: Kind, id: string): Promise<void> {
  const { data, error } = await rest().from(TABLES[kind]).delete().eq('id', id).select('id');
  if (error) throw error;
  if (data.length > 0) return;
  await insistOnRole(STAFF_ROLES, NOT_ADMIN);
  throw new Conflict(GONE);
}

/** Stored only if the profile is as it was when it was read: two admins never overwrite each other unseen. */
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
  if (data.length === 0) await insistOnRole(STAFF_ROLES, NOT_ADMIN);
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
  await insistOnRole(['superadmin'], NOT_SUPERADMIN);
  throw new Conflict(ADMIN_GONE);
}

export interface NewAdmin {
  email: string;
  password: string;
  role: StaffRole;
}

const CREATE_FAILED = 'Failed to create admin user';

/** A function's refusal is JSON with an `error`; what stands between may answer anything. */
export async function createAdmin(input: NewAdmin): Promise<void> {
  const { error } = await functions().invoke('create-admin', { body: input });
  if (!error) return;
  if (error instanceof FunctionsFetchError) throw new TypeError(error.message);
  const body: unknown =
    error instanceof FunctionsHttpError ? await (error.context as Response).json().catch(() => undefined) : undefined;
  const message = body && typeof body === 'object' && 'error' in body ? body.error : undefined;
  throw new Error(typeof message === 'string' && message ? message : CREATE_FAILED);
}

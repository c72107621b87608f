import { auth, authorizedFetch } from '@/lib/supabase';
import { RECOVERY_CODES } from './factor-queries';

/** An app that was added and waits for its first code. */
export interface NewApp {
  id: string;
  /** A data URI. */
  qrCode: string;
  secret: string;
}

/** An earlier attempt with this name that was never verified is replaced: the list doesn't show it. */
export async function addApp(name: string): Promise<NewApp> {
  const { mfa } = await auth();
  const { data: known, error: unknown } = await mfa.listFactors();
  if (unknown) throw unknown;
  const abandoned = known.all.find(({ status, friendly_name }) => status === 'unverified' && friendly_name === name);
  if (abandoned) await mfa.unenroll({ factorId: abandoned.id });
  const { data, error } = await mfa.enroll({ factorType: 'totp', issuer: 'Serasi', friendlyName: name });
  if (error) throw error;
  return { id: data.id, qrCode: data.totp.qr_code, secret: data.totp.secret };
}

/** Proves possession of an app, or uses a recovery code. The session has passed the second step afterwards. */
export async function verify(appId: string, code: string): Promise<void> {
  const { error } = await (await auth()).mfa.challengeAndVerify({ factorId: appId, code });
  if (error) throw error;
}

export async function removeApp(appId: string): Promise<void> {
  const client = await auth();
  const { error } = await client.mfa.unenroll({ factorId: appId });
  if (error) throw error;
  // The next token shows the session's new level. If this fails, the token is refreshed later.
  await client.refreshSession();
}

/** Ten new codes. Earlier ones stop working. */
export async function newRecoveryCodes(): Promise<string[]> {
  const answer = await authorizedFetch(RECOVERY_CODES, { method: 'POST' });
  const body = (await answer.json().catch(() => ({}))) as { codes?: string[]; message?: string; msg?: string };
  if (!answer.ok || !body.codes) throw new Error(body.message ?? body.msg ?? 'An unexpected error occurred');
  return body.codes;
}

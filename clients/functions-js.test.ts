// The unmodified functions-js client against create-admin.

import { FunctionsClient, FunctionsFetchError, FunctionsHttpError, FunctionsRelayError } from '@supabase/functions-js';
import { beforeAll, expect, test } from 'vitest';
import { type Caller, signedIn } from '../frontend/e2e/accounts';
import { demo, PASSWORD, somebodyNew } from '../frontend/e2e/people';
import { baseURL, request } from './server';

const client = (headers: Record<string, string> = {}, server = baseURL) =>
  new FunctionsClient(`${server}/functions/v1`, { headers });

let superadmin: Caller;
beforeAll(async () => {
  superadmin = await signedIn(request, demo('superadmin'));
});

/** The status and message of a function's own error. */
async function refusal(error: unknown): Promise<[number, unknown]> {
  expect(error).toBeInstanceOf(FunctionsHttpError);
  const answer: Response = (error as FunctionsHttpError).context;
  return [answer.status, (await answer.json()).error];
}

const removeStaff = (userId: string) =>
  request.delete(`/rest/v1/user_roles?user_id=eq.${userId}`, { headers: superadmin.headers });

test('a superadmin creates an admin, who can sign in and appears in the audit log', async () => {
  const { email } = somebodyNew();
  const functions = client(superadmin.headers);

  const body = { email, password: PASSWORD, role: 'admin' };
  const { data, error } = await functions.invoke('create-admin', { body });

  expect(error).toBeNull();
  expect(data).toEqual({ user: { id: expect.any(String), email }, role: 'admin' });
  expect((await signedIn(request, email)).userId).toBe(data.user.id);
  const log = `/rest/v1/audit_log?select=actor,actor_id,action,subject&subject_id=eq.${data.user.id}&order=id`;
  const entries = async () => (await request.get(log, { headers: superadmin.headers })).json();
  const entry = { actor: demo('superadmin'), actor_id: superadmin.userId, subject: email };
  expect(await entries()).toEqual([{ ...entry, action: 'grant_role' }]);

  const again = await functions.invoke('create-admin', { body });
  expect((await refusal(again.error))[0]).toBe(409);
  expect(again.data).toBeNull();

  expect((await removeStaff(data.user.id)).status()).toBe(204);
  expect(await entries()).toEqual([
    { ...entry, action: 'grant_role' },
    { ...entry, action: 'revoke_role' },
  ]);
});

test("a function's error is a FunctionsHttpError with its message", async () => {
  const functions = client(superadmin.headers);
  const { email } = somebodyNew();
  const refused = async (body?: object | string) =>
    refusal((await functions.invoke('create-admin', body === undefined ? {} : { body })).error);

  expect(await refused({ email, password: '12345' })).toEqual([400, 'Password must be at least 6 characters']);
  expect(await refused({ email, password: PASSWORD, role: 'root' })).toEqual([400, 'Role must be admin or superadmin']);
  expect(await refused({})).toEqual([400, 'Email and password are required']);
  expect(await refused('{"email":')).toEqual([400, 'The request body must be a JSON object']);
  expect(await refused()).toEqual([400, 'The request body must be a JSON object']);
  for (const method of ['GET', 'PUT', 'PATCH', 'DELETE'] as const) {
    const { error } = await functions.invoke('create-admin', { method });
    expect(await refusal(error)).toEqual([405, 'Method not allowed']);
  }

  const admin = client((await signedIn(request, demo('admin'))).headers);
  const { error } = await admin.invoke('create-admin', { body: { email, password: PASSWORD } });
  expect(await refusal(error)).toEqual([403, 'Only super admins can create admin users']);
});

test('an error outside the function is a FunctionsRelayError', async () => {
  const { headers } = superadmin;
  const body = { ...somebodyNew(), password: PASSWORD };
  const cases: [FunctionsClient, string, number][] = [
    [client(), 'create-admin', 401],
    [client({ Authorization: 'Bearer x.y.z' }), 'create-admin', 401],
    [client({ Authorization: `${headers.Authorization}x` }), 'create-admin', 401],
    [client(headers), 'drop-admin', 404],
  ];
  for (const [functions, name, status] of cases) {
    const { data, error } = await functions.invoke(name, { body });
    expect(data).toBeNull();
    expect(error).toBeInstanceOf(FunctionsRelayError);
    expect(error.context.status).toBe(status);
    expect((await error.context.json()).error).toEqual(expect.any(String));
  }
});

test('setAuth, text bodies, regions and an unreachable server', async () => {
  const { email } = somebodyNew();
  const functions = client({ apikey: superadmin.headers.apikey ?? '' });
  functions.setAuth((superadmin.headers.Authorization ?? '').replace('Bearer ', ''));

  // The client sends a string as text/plain; the function parses it as JSON.
  const body = JSON.stringify({ email, password: PASSWORD, role: 'superadmin' });
  const { data, error } = await functions.invoke('create-admin', { body, region: 'ap-southeast-1' as never });

  expect(error).toBeNull();
  expect(data.role).toBe('superadmin');
  expect((await removeStaff(data.user.id)).status()).toBe(204);
  const nobody = await client({}, 'http://127.0.0.1:9').invoke('create-admin', { body: {} });
  expect(nobody.error).toBeInstanceOf(FunctionsFetchError);
});

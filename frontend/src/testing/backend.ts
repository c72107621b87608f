// A fake backend for component tests: responds by method and path. The pages use their real clients. A request without
// a prepared response gets a 404, as from the gateway.
import { vi } from 'vitest';

export interface Sent {
  method: string;
  path: string;
  query: URLSearchParams;
  body: unknown;
}

type Reply = object | Response | undefined;
export type Answers = Record<string, (sent: Sent) => Reply | Promise<Reply>>;

/** An error of the auth service, with the header that makes auth-js read its code. */
export const refused = (status: number, code: string, message: string, more: object = {}, headers = {}) =>
  Response.json(
    { code, message, ...more },
    { status, headers: { 'x-supabase-api-version': '2024-01-01', ...headers } },
  );

/** What fetch throws without a connection. */
export const unreachable = () => {
  throw new TypeError('Failed to fetch');
};

/** Returns a list that requests are added to as they arrive. `answers` may be changed later. */
export function serve(answers: Answers): Sent[] {
  const requests: Sent[] = [];
  vi.stubGlobal('fetch', async (input: RequestInfo | URL, init: RequestInit = {}) => {
    const url = new URL(input instanceof Request ? input.url : String(input));
    const method = init.method ?? 'GET';
    const body = typeof init.body === 'string' ? JSON.parse(init.body) : undefined;
    const sent: Sent = { method, path: url.pathname, query: url.searchParams, body };
    requests.push(sent);
    const reply = await answers[`${method} ${url.pathname}`]?.(sent);
    if (reply instanceof Response) return reply;
    if (reply === undefined) return Response.json({ code: 'not_found', message: 'Not found' }, { status: 404 });
    const one = new Headers(init.headers).get('accept')?.includes('pgrst.object');
    return Response.json(one && Array.isArray(reply) ? reply[0] : reply);
  });
  return requests;
}

export interface Account {
  id: string;
  email: string;
  roles: string[];
}

export const SOMEBODY: Account = { id: 'a0000000-0000-4000-8000-000000000001', email: 'nadia@example.test', roles: [] };

/** A session as the auth service issues it, valid for an hour. */
export const sessionOf = ({ id, email }: Account) => ({
  access_token: `${btoa('{"alg":"HS256","typ":"JWT"}')}.${btoa(JSON.stringify({ sub: id, exp: now() + 3600 }))}.c2ln`,
  token_type: 'bearer',
  expires_in: 3600,
  expires_at: now() + 3600,
  refresh_token: 'refresh-token',
  user: { id, email, aud: 'authenticated', app_metadata: {}, user_metadata: {}, created_at: '2026-01-01T00:00:00Z' },
});

const now = () => Math.floor(Date.now() / 1000);

/** The requests that a browser sends when an account signs in or is signed in. */
export const accountAnswers = (account: Account): Answers => ({
  'POST /auth/v1/token': () => sessionOf(account),
  'POST /auth/v1/logout': () => new Response(null, { status: 204 }),
  'GET /auth/v1/user': () => sessionOf(account).user,
  'GET /rest/v1/user_roles': () => account.roles.map((role) => ({ role })),
  'GET /rest/v1/rpc/staff_access': () => Response.json('granted'),
  'GET /rest/v1/profiles': () => [{ email: account.email }],
  'GET /rest/v1/influencers': () => [],
  'GET /rest/v1/agencies': () => [],
  'GET /rest/v1/vendors': () => [],
  'GET /rest/v1/notices': () => [],
});

/** A table with at most one row, which is inserted or updated as in PostgREST. */
export function singleRow(table: string, first?: object): { answers: Answers; row: () => object | undefined } {
  let row = first;
  const path = `/rest/v1/${table}`;
  const write = ({ body }: Sent) => {
    row = { id: 'b0000000-0000-4000-8000-000000000001', ...row, ...(body as object) };
    return [row];
  };
  const answers = { [`GET ${path}`]: () => (row ? [row] : []), [`POST ${path}`]: write, [`PATCH ${path}`]: write };
  return { answers, row: () => row };
}

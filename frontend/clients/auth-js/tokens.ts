// Access tokens as the server would never give them.
import { createHmac } from 'node:crypto';

type Claims = Record<string, unknown>;

export const claimsOf = (token: string): Claims =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());

const encoded = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');

/** Signed with the server's secret: only its claims can be wrong. */
export function signed(claims: Claims): string {
  const text = `${encoded({ alg: 'HS256', typ: 'JWT' })}.${encoded(claims)}`;
  const signature = createHmac('sha256', process.env.JWT_SECRET ?? '').update(text);
  return `${text}.${signature.digest('base64url')}`;
}

export const resigned = (token: string, changes: Claims) => signed({ ...claimsOf(token), ...changes });

/** The same token an hour after its end. */
export const expired = (token: string) => resigned(token, { exp: Math.floor(Date.now() / 1000) - 3600 });

/** The same claims, signed by somebody else. */
export function forged(token: string): string {
  const [header, claims] = token.split('.');
  return [header, claims, createHmac('sha256', 'guess').update('').digest('base64url')].join('.');
}

// Access tokens that the server would never issue.
import { createHmac } from 'node:crypto';

type Claims = Record<string, unknown>;

export const claimsOf = (token: string): Claims =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());

const encoded = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');

/** Signed with the server's secret, so only the claims can be invalid. */
export function signed(claims: Claims): string {
  const text = `${encoded({ alg: 'HS256', typ: 'JWT' })}.${encoded(claims)}`;
  const signature = createHmac('sha256', process.env.JWT_SECRET ?? '').update(text);
  return `${text}.${signature.digest('base64url')}`;
}

export const resigned = (token: string, changes: Claims) => signed({ ...claimsOf(token), ...changes });

/** The same token, expired an hour ago. */
export const expired = (token: string) => resigned(token, { exp: Math.floor(Date.now() / 1000) - 3600 });

/** The same claims, signed with another secret. */
export function forged(token: string): string {
  const [header, claims] = token.split('.');
  return [header, claims, createHmac('sha256', 'guess').update('').digest('base64url')].join('.');
}

// Links that the server verifies may lead to any page, with the outcome appended to the URL: a session, an error, or a
// message that the first of two confirmations is done. All of these are redirected to the page that handles them.
import { accountPaths } from '@/lib/account-paths';
import { withQuery } from '@/lib/with-query';
import { isLinkType } from './mailed-link';

/** The URL that replaces the current one. */
export function arrivalOf(url: URL): string | undefined {
  const inHash = new URLSearchParams(url.hash.slice(1));
  const param = (name: string) => inHash.get(name) ?? url.searchParams.get(name);
  const next = url.pathname === accountPaths.confirm ? (url.searchParams.get('next') ?? undefined) : url.pathname;
  if (param('error') || param('error_code') || param('error_description')) {
    return withQuery(accountPaths.linkExpired, { next });
  }
  if (inHash.get('access_token')) {
    const type = inHash.get('type');
    // Keeps the hash, because auth-js reads the session from it and then clears it.
    return withQuery(accountPaths.confirm, { arrived: isLinkType(type) ? type : 'magiclink', next }) + url.hash;
  }
  if (inHash.get('message')) return withQuery(accountPaths.confirmed, { what: 'half', next });
  return undefined;
}

export function redirectArrival(): void {
  const place = arrivalOf(new URL(window.location.href));
  if (place) window.history.replaceState(null, '', place);
}

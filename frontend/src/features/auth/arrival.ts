// A link that was followed through the server ends at any page, with its outcome behind the address: a session, an
// error, or word that one half of a change is done. All of them go on where such things are told.
import { accountPaths } from '@/lib/account-paths';
import { withQuery } from '@/lib/with-query';
import { isLinkType } from './mailed-link';

/** The address to show in place of this one. */
export function arrivalOf(url: URL): string | undefined {
  const inHash = new URLSearchParams(url.hash.slice(1));
  const said = (name: string) => inHash.get(name) ?? url.searchParams.get(name);
  const next = url.pathname === accountPaths.confirm ? (url.searchParams.get('next') ?? undefined) : url.pathname;
  if (said('error') || said('error_code') || said('error_description')) {
    return withQuery(accountPaths.linkExpired, { next });
  }
  if (inHash.get('access_token')) {
    const type = inHash.get('type');
    // The hash stays: auth-js takes the session from there, and then clears it.
    return withQuery(accountPaths.confirm, { arrived: isLinkType(type) ? type : 'magiclink', next }) + url.hash;
  }
  if (inHash.get('message')) return withQuery(accountPaths.confirmed, { what: 'half', next });
  return undefined;
}

export function leadOn(): void {
  const place = arrivalOf(new URL(window.location.href));
  if (place) window.history.replaceState(null, '', place);
}

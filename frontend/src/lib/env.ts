// Configuration from the server: the public key is in index.html.

/** The build prerenders pages and records their requests, without a window. */
const BUILD = 'http://build.invalid';

export function anonKey(): string {
  if (typeof document === 'undefined') return '';
  return document.querySelector<HTMLMetaElement>('meta[name="anon-key"]')?.content ?? '';
}

/** The page and every API share one origin. Read at call time, because tests import modules before setting it up. */
export function apiUrl(path: string): string {
  return new URL(path, typeof window === 'undefined' ? BUILD : window.location.origin).toString();
}

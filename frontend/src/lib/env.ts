// What the server says to the page: the public key stands in index.html.

/** The build makes pages too, and notes what they ask for: there it has no window. */
const BUILD = 'http://build.invalid';

export function anonKey(): string {
  if (typeof document === 'undefined') return '';
  return document.querySelector<HTMLMetaElement>('meta[name="anon-key"]')?.content ?? '';
}

/** One origin serves the page and every API; read at call time, because tests import modules. */
export function apiUrl(path: string): string {
  return new URL(path, typeof window === 'undefined' ? BUILD : window.location.origin).toString();
}

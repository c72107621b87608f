// What the server says to the page: the public key stands in index.html.

export function anonKey(): string {
  return document.querySelector<HTMLMetaElement>('meta[name="anon-key"]')?.content ?? '';
}

/** One origin serves the page and every API; read at call time, because tests import modules. */
export function apiUrl(path: string): string {
  return new URL(path, window.location.origin).toString();
}

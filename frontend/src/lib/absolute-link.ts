import { safeLink } from './links';

/** The full address of a path on this site, or of a picture stored elsewhere; undefined if it isn't a web address. */
export function absoluteLink(path: string | undefined, origin: string): string | undefined {
  if (!path) return undefined;
  try {
    return safeLink(new URL(path, origin).href);
  } catch {
    return undefined;
  }
}

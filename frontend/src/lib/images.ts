const PUBLIC_OBJECT = '/storage/v1/object/public/';

/** Our own pictures are asked for at the page's origin, whatever address they were stored under. */
export function pictureUrl(stored: string | null | undefined): string | undefined {
  if (!stored) return undefined;
  const at = stored.indexOf(PUBLIC_OBJECT);
  return at < 0 ? stored : stored.slice(at);
}

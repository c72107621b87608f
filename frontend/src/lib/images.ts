const PUBLIC_OBJECT = '/storage/v1/object/public/';

/** Loads our own pictures from the page's origin, regardless of the origin they were stored with. */
export function pictureUrl(stored: string | null | undefined): string | undefined {
  if (!stored) return undefined;
  const at = stored.indexOf(PUBLIC_OBJECT);
  return at < 0 ? stored : stored.slice(at);
}

const PUBLIC_PICTURE = '/storage/v1/render/image/public/';
/** From a portrait in a list to a cover on a wide screen. */
const WIDTHS = [160, 320, 480, 640, 960, 1280];

/** A `srcset` for one of our pictures; external ones can't be resized. */
export function pictureSources(stored: string | null | undefined): string | undefined {
  const url = pictureUrl(stored);
  if (!url?.startsWith(PUBLIC_OBJECT)) return undefined;
  const resized = PUBLIC_PICTURE + url.slice(PUBLIC_OBJECT.length).replace(/[?#].*$/, '');
  return WIDTHS.map((width) => `${resized}?width=${width}&format=webp ${width}w`).join(', ');
}

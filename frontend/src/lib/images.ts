const PUBLIC_OBJECT = '/storage/v1/object/public/';

/** Our own pictures are asked for at the page's origin, whatever address they were stored under. */
export function pictureUrl(stored: string | null | undefined): string | undefined {
  if (!stored) return undefined;
  const at = stored.indexOf(PUBLIC_OBJECT);
  return at < 0 ? stored : stored.slice(at);
}

const PUBLIC_PICTURE = '/storage/v1/render/image/public/';
/** A portrait in a list, a phone's column, a wide screen's cover. */
const WIDTHS = [160, 320, 480, 640, 960, 1280];

/** The same picture in other widths, where it is one of ours: others we can't resize. */
export function pictureSources(stored: string | null | undefined): string | undefined {
  const url = pictureUrl(stored);
  if (!url?.startsWith(PUBLIC_OBJECT)) return undefined;
  const resized = PUBLIC_PICTURE + url.slice(PUBLIC_OBJECT.length).replace(/[?#].*$/, '');
  return WIDTHS.map((width) => `${resized}?width=${width}&format=webp ${width}w`).join(', ');
}

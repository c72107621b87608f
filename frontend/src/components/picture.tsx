import { type ReactNode, useState } from 'react';
import { avatarVariants } from '@/components/ui/avatar';
import { pictureSources, pictureUrl } from '@/lib/images';

/** A stored picture, or the fallback if there is none or it can't be loaded. */
export function Picture(props: {
  src: string | null | undefined;
  alt: string;
  fallback: ReactNode;
  width: number;
  height: number;
  /** As the HTML attribute, for screens where the picture is narrower than `width`. */
  sizes?: string;
  /** In the first view: loaded with high priority. */
  eager?: boolean;
  /** Replaces a visible picture: loaded right away, but with normal priority. */
  next?: boolean;
  className?: string;
}) {
  const [unresized, setUnresized] = useState<string>();
  const [broken, setBroken] = useState<string>();
  const url = pictureUrl(props.src);
  if (!url || broken === url) return props.fallback;
  const sources = unresized === url ? undefined : pictureSources(url);
  const atOnce = props.eager || props.next;
  const widest = props.sizes ?? `min(100vw, ${props.width}px)`;
  return (
    <img
      // If resizing fails, loads the original in a new element, so that its own failure can be told apart.
      key={sources ? 'resized' : 'whole'}
      // A lazily loaded picture is already laid out, so the browser can use its actual width.
      sizes={sources && (atOnce ? widest : `auto, ${widest}`)}
      srcSet={sources}
      src={url}
      alt={props.alt}
      width={props.width}
      height={props.height}
      loading={atOnce ? 'eager' : 'lazy'}
      fetchPriority={props.eager ? 'high' : 'auto'}
      // Pictures in the prerendered HTML are painted together with the text around them.
      decoding={atOnce ? 'sync' : 'async'}
      className={props.className}
      onError={() => (sources ? setUnresized(url) : setBroken(url))}
    />
  );
}

const TINTS = [
  ['var(--mint)', '#0F4D3F'],
  ['var(--blush)', '#8A2A22'],
  ['var(--langit)', '#1C3A8C'],
  ['var(--lemak)', '#6B4700'],
] as const;

/** A round portrait, or the first letter on a tint chosen by the record's id. */
export function Avatar({
  id,
  name,
  src,
  size,
  className,
}: {
  id: string;
  name: string;
  src: string | null | undefined;
  size: number;
  className?: string;
}) {
  const sum = [...id].reduce((total, letter) => total + letter.charCodeAt(0), 0);
  const [ground, ink] = TINTS[sum % TINTS.length] ?? TINTS[0];
  return (
    <span
      className={avatarVariants({ className })}
      style={{ width: size, height: size, background: ground, color: ink, fontSize: size * 0.42 }}
    >
      <Picture
        src={src}
        alt=""
        width={size}
        height={size}
        fallback={<span aria-hidden="true">{firstLetter(name)}</span>}
      />
    </span>
  );
}

export function firstLetter(name: string): string {
  return ([...name.trim()][0] ?? '?').toUpperCase();
}

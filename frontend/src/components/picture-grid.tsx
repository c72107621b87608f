import { lazy, Suspense, useRef, useState } from 'react';
import type { GridPicture } from './lightbox';
import { Picture } from './picture';
import { UbinPattern } from './ubin-pattern';

const loadLightbox = () => import('./lightbox');
const Lightbox = lazy(loadLightbox);

/** Square pictures. Each opens in the lightbox, which loads when it is first needed. */
export function PictureGrid({
  pictures,
  title,
  className,
}: {
  pictures: GridPicture[];
  title: string;
  className: string;
}) {
  const [shown, setShown] = useState<number>();
  const buttons = useRef<(HTMLButtonElement | null)[]>([]);
  if (pictures.length === 0) return null;
  return (
    <div className={className}>
      {pictures.map(({ url, alt }, index) => (
        <button
          key={url}
          ref={(button) => {
            buttons.current[index] = button;
          }}
          type="button"
          className="photo-edge relative block aspect-square cursor-zoom-in overflow-hidden rounded-lg bg-muted"
          aria-label={alt}
          aria-haspopup="dialog"
          onPointerEnter={() => void loadLightbox().catch(() => undefined)}
          onClick={() => setShown(index)}
        >
          <Picture
            className="size-full object-cover"
            src={url}
            alt={alt}
            width={300}
            height={300}
            fallback={<UbinPattern seed={url} columns={2} rows={2} />}
          />
        </button>
      ))}
      {shown === undefined ? null : (
        <Suspense>
          <Lightbox
            title={title}
            pictures={pictures}
            index={shown}
            onIndexChange={setShown}
            // The focus returns to the picture that was seen last, not to the first one.
            onClosed={() => buttons.current[shown]?.focus()}
            onClose={() => setShown(undefined)}
          />
        </Suspense>
      )}
    </div>
  );
}

import { type ComponentType, useRef, useState } from 'react';
import { toast } from '@/lib/toast';
import type { GridPicture, LightboxProps } from './lightbox';
import { Picture } from './picture';
import { UbinPattern } from './ubin-pattern';

const loadLightbox = () => import('./lightbox');

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
  const [Lightbox, setLightbox] = useState<ComponentType<LightboxProps>>();
  const buttons = useRef<(HTMLButtonElement | null)[]>([]);
  if (pictures.length === 0) return null;
  // Not `lazy`: it would replace the whole page if the file can't be loaded, and never load it again.
  async function open(index: number) {
    try {
      const lightbox = await loadLightbox();
      setLightbox(() => lightbox.default);
      setShown(index);
    } catch {
      toast.error("The picture didn't open", { description: 'Check your connection and try again.' });
    }
  }
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
          onClick={() => void open(index)}
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
      {Lightbox && shown !== undefined ? (
        <Lightbox
          title={title}
          pictures={pictures}
          index={shown}
          onIndexChange={setShown}
          // The focus returns to the picture that was seen last, not to the first one.
          onClosed={() => buttons.current[shown]?.focus()}
          onClose={() => setShown(undefined)}
        />
      ) : null}
    </div>
  );
}

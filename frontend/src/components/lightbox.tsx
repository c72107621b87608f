import { ChevronLeft, ChevronRight, X } from 'lucide-react';
import { Dialog } from 'radix-ui';
import type { KeyboardEvent } from 'react';
import { useSwipe } from '@/hooks/use-swipe';
import { Picture } from './picture';
import { UbinPattern } from './ubin-pattern';
import { IconButton, iconButtonVariants } from './ui/icon-button';

export interface GridPicture {
  url: string;
  alt: string;
}

export interface LightboxProps {
  title: string;
  pictures: GridPicture[];
  index: number;
  onIndexChange: (index: number) => void;
  onClose: () => void;
  /** Called when the focus has to go back to the page. */
  onClosed: () => void;
}

/** One picture at a time, as large as the window. Keys: arrows, Home, End, Escape. Touch: swipe. */
export default function Lightbox({ title, pictures, index, onIndexChange, onClose, onClosed }: LightboxProps) {
  const count = pictures.length;
  const go = (to: number) => onIndexChange((to + count) % count);
  const swipe = useSwipe(
    () => go(index + 1),
    () => go(index - 1),
  );
  function onKeyDown(event: KeyboardEvent) {
    // Alt and an arrow key go back or forward in the browser's history.
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const to = { ArrowRight: index + 1, ArrowLeft: index - 1, Home: 0, End: count - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    go(to);
  }
  return (
    <Dialog.Root open onOpenChange={onClose}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-50 animate-fade bg-ink/95" />
        <Dialog.Content
          className="on-panel fixed inset-0 z-50 grid animate-fade grid-cols-[minmax(0,1fr)] grid-rows-[auto_minmax(0,1fr)] text-white outline-none"
          aria-describedby={undefined}
          onKeyDown={onKeyDown}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            onClosed();
          }}
        >
          <header className="flex items-center gap-3 px-(--gutter) py-3">
            <Dialog.Title asChild>
              <h2 className="min-w-0 flex-1 truncate text-[17px]">{title}</h2>
            </Dialog.Title>
            <p className="tabular-nums" aria-live="polite">
              {index + 1} of {count}
            </p>
            <Dialog.Close className={iconButtonVariants({ variant: 'panel' })} aria-label="Close">
              <X aria-hidden="true" />
            </Dialog.Close>
          </header>
          <div className="relative min-h-0 touch-pan-y touch-pinch-zoom pb-4 sm:px-20" {...swipe}>
            <LargePicture key={pictures[index]?.url} picture={pictures[index]} />
            {count > 1 ? (
              <>
                <Arrow label="Previous picture" icon={ChevronLeft} side="left-2" onClick={() => go(index - 1)} />
                <Arrow label="Next picture" icon={ChevronRight} side="right-2" onClick={() => go(index + 1)} />
                {/* Preloads the neighbors, so that they appear immediately. */}
                <div hidden>
                  <LargePicture picture={pictures[(index + 1) % count]} />
                  <LargePicture picture={pictures[(index - 1 + count) % count]} />
                </div>
              </>
            ) : null}
          </div>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function LargePicture({ picture }: { picture: GridPicture | undefined }) {
  if (!picture) return null;
  return (
    <Picture
      className="size-full object-contain"
      src={picture.url}
      alt={picture.alt}
      width={1600}
      height={1600}
      sizes="100vw"
      next
      fallback={
        <div className="grid size-full place-items-center">
          <div className="aspect-square h-[min(100%,20rem)]" role="img" aria-label={picture.alt}>
            <UbinPattern seed={picture.url} columns={2} rows={2} />
          </div>
        </div>
      }
    />
  );
}

function Arrow(props: { label: string; icon: typeof ChevronLeft; side: string; onClick: () => void }) {
  const Icon = props.icon;
  return (
    <IconButton
      variant="photo"
      className={`absolute top-1/2 -translate-y-1/2 ${props.side}`}
      aria-label={props.label}
      onClick={props.onClick}
    >
      <Icon aria-hidden="true" />
    </IconButton>
  );
}

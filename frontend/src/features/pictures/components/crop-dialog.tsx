import { clsx } from 'clsx';
import { slider } from '@/components/ui/slider';
// The dialog to position and zoom a chosen picture before it is saved. The result is a new file with the shape's aspect
// ratio; the original file is not kept.

import { Minus, Move, Plus, RotateCcw } from 'lucide-react';
import { Slider } from 'radix-ui';
import { type KeyboardEvent, type PointerEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { IconButton } from '@/components/ui/icon-button';
import { toast } from '@/lib/toast';
import { type Crop, centred, crop, cutOut, moved, SHAPES } from '../crop';
import { extensionOf } from '../files';
import { type PendingFile, pendingFile } from '../pending';

export type CropShape = keyof typeof SHAPES;

/** Dragging, arrow keys and zoom position the picture in its frame; Apply crops it. */
export function CropDialog(props: {
  file: File;
  shape: CropShape;
  /** Shown over the lower left of the picture, where the round photo covers the cover image. */
  ghost?: ReactNode;
  onCancel: () => void;
  onApply: (picture: PendingFile) => void;
}) {
  const shape = SHAPES[props.shape];
  const [image, setImage] = useState<HTMLImageElement>();
  const [place, setPlace] = useState<Crop>(centred);
  const [busy, setBusy] = useState(false);
  const drag = useRef<{ x: number; y: number }>(undefined);
  const frame = useRef<HTMLDivElement>(null);
  const isOpen = useRef(true);
  useEffect(() => {
    isOpen.current = true;
    return () => {
      isOpen.current = false;
    };
  }, []);

  const { file, onCancel } = props;
  const cancel = useRef(onCancel);
  cancel.current = onCancel;
  useEffect(() => {
    const url = URL.createObjectURL(file);
    const picture = new Image();
    picture.onload = () => setImage(picture);
    picture.onerror = () => {
      toast.error(`${file.name} can't be read`, { description: 'The file may be damaged.' });
      cancel.current();
    };
    picture.src = url;
    return () => {
      picture.onload = null;
      picture.onerror = null;
      URL.revokeObjectURL(url);
    };
  }, [file]);

  function onPointerMove(event: PointerEvent) {
    if (!drag.current || !image || !frame.current) return;
    const width = frame.current.clientWidth;
    const [x, y] = [(event.clientX - drag.current.x) / width, (event.clientY - drag.current.y) / width];
    drag.current = { x: event.clientX, y: event.clientY };
    setPlace((now) => moved(now, image, shape, x, y));
  }
  function onKeyDown(event: KeyboardEvent) {
    const step = event.shiftKey ? 0.1 : 0.02;
    const by = { ArrowLeft: [step, 0], ArrowRight: [-step, 0], ArrowUp: [0, step], ArrowDown: [0, -step] }[event.key];
    if (!by || !image) return;
    event.preventDefault();
    setPlace((now) => moved(now, image, shape, by[0] ?? 0, by[1] ?? 0));
  }
  const zoom = (value: number) =>
    image && setPlace((now) => moved({ ...now, zoom: Math.min(3, Math.max(1, value)) }, image, shape, 0, 0));

  async function apply() {
    if (!image) return;
    setBusy(true);
    try {
      const blob = await cutOut(image, place, shape);
      // Canceled in the meantime.
      if (!isOpen.current) return;
      toast.success('Image repositioned');
      props.onApply(pendingFile(blob, `picture.${extensionOf(blob)}`));
    } catch {
      if (!isOpen.current) return;
      toast.error(`${file.name} can't be read`, { description: 'Choose another picture.' });
      onCancel();
    }
  }
  const stop = () => {
    drag.current = undefined;
  };
  const area = image ? crop(place, image, shape) : undefined;
  return (
    <Dialog
      open
      wide
      onOpenChange={(open) => !open && onCancel()}
      title={shape.title}
      description={
        props.shape === 'portrait'
          ? 'One photo, two shapes: a circle on your profile, a portrait on cards. Drag it, or use the arrow keys.'
          : 'Drag the picture, or use the arrow keys. Zoom with the slider.'
      }
      footer={
        <>
          <Button className="mr-auto" variant="ghost" onClick={() => setPlace(centred)}>
            <RotateCcw aria-hidden="true" />
            Reset
          </Button>
          <Button variant="outline" onClick={onCancel}>
            Cancel
          </Button>
          <Button busy={busy || !image} onClick={() => void apply()}>
            Apply
          </Button>
        </>
      }
    >
      <div
        className={
          props.shape === 'portrait' ? 'grid gap-4.5 min-[720px]:grid-cols-[minmax(0,1fr)_auto]' : 'grid gap-4.5'
        }
      >
        <div
          className="relative grid cursor-grab touch-none justify-items-center overflow-hidden rounded-lg bg-[#0b1712] p-6 focus-visible:outline-3 focus-visible:outline-ring focus-visible:outline-offset-2"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: an application widget is operated with the arrow keys
          tabIndex={0}
          role="application"
          aria-label={`${shape.name} position: ${Math.round(place.x * 100)} percent across, ${Math.round(place.y * 100)} percent down`}
          onKeyDown={onKeyDown}
          onPointerDown={(event) => {
            drag.current = { x: event.clientX, y: event.clientY };
            event.currentTarget.setPointerCapture(event.pointerId);
          }}
          onPointerMove={onPointerMove}
          onPointerUp={stop}
          onPointerCancel={stop}
          onWheel={(event) => zoom(place.zoom - Math.sign(event.deltaY) * 0.05)}
        >
          <div
            ref={frame}
            className={shape.ratio > 1 ? 'relative w-full' : 'relative w-full max-w-75'}
            style={{ aspectRatio: shape.ratio }}
          >
            {image && area ? <Part image={image} area={area} /> : null}
            <span className="absolute inset-0 rounded-md shadow-[0_0_0_999px_rgb(8_24_18/0.62),0_0_0_2px_#fff]" />
            <span className="crop-thirds absolute inset-0 rounded-md" />
            {props.ghost ? (
              <span className="pointer-events-none absolute bottom-0 left-[4%] aspect-square w-[clamp(48px,12%,88px)] translate-y-[45%] overflow-hidden rounded-full border-3 border-white bg-muted opacity-85 *:block *:size-full *:object-cover">
                {props.ghost}
              </span>
            ) : null}
          </div>
          <span className="pointer-events-none absolute bottom-2 left-1/2 flex h-8 -translate-x-1/2 items-center gap-2 whitespace-nowrap rounded-full bg-white px-3.5 font-semibold text-[13px] text-ink">
            <Move className="size-4" aria-hidden="true" />
            Drag to move
          </span>
        </div>
        {props.shape === 'portrait' && image && area ? <PhotoPreviews image={image} area={area} /> : null}
      </div>
      <div className="flex items-center gap-3">
        <IconButton variant="line" aria-label="Zoom out" onClick={() => zoom(place.zoom - 0.1)}>
          <Minus className="size-4.5" aria-hidden="true" />
        </IconButton>
        <Slider.Root
          className={clsx(slider.root, 'flex-1')}
          min={100}
          max={300}
          step={5}
          value={[Math.round(place.zoom * 100)]}
          onValueChange={([value]) => value && zoom(value / 100)}
        >
          <Slider.Track className={slider.track}>
            <Slider.Range className={slider.range} />
          </Slider.Track>
          <Slider.Thumb className={slider.thumb} aria-label="Zoom" />
        </Slider.Root>
        <IconButton variant="line" aria-label="Zoom in" onClick={() => zoom(place.zoom + 0.1)}>
          <Plus className="size-4.5" aria-hidden="true" />
        </IconButton>
        <b className="w-13 text-right tabular-nums">{Math.round(place.zoom * 100)}%</b>
      </div>
      {props.shape === 'cover' ? (
        <p className="text-muted-foreground text-xs">Your round photo covers the lower left of the cover.</p>
      ) : null}
    </Dialog>
  );
}

interface Area {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Shows an area of the picture: scaled and offset so that the area fills the container. */
function Part({ image, area }: { image: HTMLImageElement; area: Area }) {
  return (
    <img
      className="absolute max-w-none"
      src={image.src}
      alt=""
      draggable={false}
      style={{
        width: `${(image.naturalWidth / area.width) * 100}%`,
        left: `${(-area.x / area.width) * 100}%`,
        top: `${(-area.y / area.height) * 100}%`,
      }}
    />
  );
}

/** Previews as on cards and on the profile. The round one shows the middle of the portrait. */
function PhotoPreviews({ image, area }: { image: HTMLImageElement; area: Area }) {
  const round = { ...area, y: area.y + (area.height - area.width) / 2, height: area.width };
  return (
    <div className="flex flex-wrap items-end gap-6 min-[720px]:flex-col min-[720px]:items-start" aria-hidden="true">
      <div>
        <p className="mb-2 font-semibold text-muted-foreground text-xs">On cards</p>
        <span
          data-slot="cut"
          className="relative block w-30 overflow-hidden rounded-lg bg-muted ring ring-border"
          style={{ aspectRatio: area.width / area.height }}
        >
          <Part image={image} area={area} />
        </span>
      </div>
      <div>
        <p className="mb-2 font-semibold text-muted-foreground text-xs">Round</p>
        <div className="flex items-end gap-3">
          {[84, 44].map((size) => (
            <span
              key={size}
              data-slot="cut"
              className="relative block overflow-hidden rounded-full bg-muted ring ring-border"
              style={{ width: size, height: size }}
            >
              <Part image={image} area={round} />
            </span>
          ))}
        </div>
      </div>
    </div>
  );
}

// The dialog to position and zoom a chosen picture before it is saved. The result is a new file with the shape's aspect
// ratio; the original file is not kept.
import { clsx } from 'clsx';
import { Minus, Move, Plus, RotateCcw } from 'lucide-react';
import { Slider } from 'radix-ui';
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import Cropper from 'react-easy-crop';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { IconButton } from '@/components/ui/icon-button';
import { slider } from '@/components/ui/slider';
import { toast } from '@/lib/toast';
import { type Area, cutOut, positionOf, SHAPES } from '../crop';
import { extensionOf } from '../files';
import { type PendingFile, pendingFile } from '../pending';
import { PhotoPreviews } from './crop-previews';

export type CropShape = keyof typeof SHAPES;

const CENTER = { x: 0, y: 0 };
/** In pixels on the screen; a fifth of it with Shift. */
const KEYBOARD_STEP = 10;
const MOST_ZOOM = 3;

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
  const [place, setPlace] = useState(CENTER);
  const [zoom, setZoom] = useState(1);
  const [area, setArea] = useState<Area>();
  const [busy, setBusy] = useState(false);
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

  const zoomBy = (step: number) => setZoom((now) => Math.min(MOST_ZOOM, Math.max(1, now + step)));
  function onKeyDown(event: KeyboardEvent) {
    const step = { '+': 0.1, '=': 0.1, '-': -0.1 }[event.key];
    if (step) zoomBy(step);
  }
  function reset() {
    setPlace(CENTER);
    setZoom(1);
  }
  async function apply() {
    if (!image || !area) return;
    setBusy(true);
    try {
      const blob = await cutOut(image, area, shape);
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
  const at = image && area ? positionOf(area, image) : { across: 50, down: 50 };
  return (
    <Dialog
      open
      wide
      onOpenChange={(open) => !open && onCancel()}
      title={shape.title}
      description={
        props.shape === 'portrait'
          ? 'One photo, two shapes: a circle on your profile, a portrait on cards. Drag it, or use the arrow keys.'
          : 'Drag the picture, or use the arrow keys. Zoom with the slider, or with + and -.'
      }
      footer={
        <>
          <Button className="mr-auto" variant="ghost" onClick={reset}>
            <RotateCcw aria-hidden="true" />
            Reset
          </Button>
          <Button variant="outline" onClick={onCancel}>
            Cancel
          </Button>
          <Button busy={busy || !area} onClick={() => void apply()}>
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
        <div className="relative grid justify-items-center overflow-hidden rounded-lg bg-[#0b1712] p-6">
          <div
            className={shape.ratio > 1 ? 'relative w-full' : 'relative w-full max-w-75'}
            style={{ aspectRatio: shape.ratio }}
          >
            {image ? (
              <Cropper
                image={image.src}
                crop={place}
                zoom={zoom}
                maxZoom={MOST_ZOOM}
                aspect={shape.ratio}
                objectFit={
                  image.naturalWidth / image.naturalHeight < shape.ratio ? 'horizontal-cover' : 'vertical-cover'
                }
                keyboardStep={KEYBOARD_STEP}
                onCropChange={setPlace}
                onZoomChange={setZoom}
                onCropAreaChange={(_, pixels) => setArea(pixels)}
                // The picture stays visible around the frame, dimmed.
                style={{ containerStyle: { overflow: 'visible', cursor: 'grab' } }}
                classes={{ cropAreaClassName: 'rounded-md focus-visible:outline-3 focus-visible:outline-ring' }}
                mediaProps={{ draggable: false }}
                cropperProps={{
                  role: 'application',
                  'aria-label': `${shape.name} position: ${at.across} percent across, ${at.down} percent down`,
                  onKeyDownCapture: onKeyDown,
                }}
              />
            ) : null}
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
      <ZoomBar zoom={zoom} onZoom={setZoom} onStep={zoomBy} />
      {props.shape === 'cover' ? (
        <p className="text-muted-foreground text-xs">Your round photo covers the lower left of the cover.</p>
      ) : null}
    </Dialog>
  );
}

function ZoomBar(props: { zoom: number; onZoom: (zoom: number) => void; onStep: (step: number) => void }) {
  const percent = Math.round(props.zoom * 100);
  return (
    <div className="flex items-center gap-3">
      <IconButton variant="line" aria-label="Zoom out" onClick={() => props.onStep(-0.1)}>
        <Minus className="size-4.5" aria-hidden="true" />
      </IconButton>
      <Slider.Root
        className={clsx(slider.root, 'flex-1')}
        min={100}
        max={MOST_ZOOM * 100}
        step={5}
        value={[percent]}
        onValueChange={([value]) => value && props.onZoom(value / 100)}
      >
        <Slider.Track className={slider.track}>
          <Slider.Range className={slider.range} />
        </Slider.Track>
        <Slider.Thumb className={slider.thumb} aria-label="Zoom" />
      </Slider.Root>
      <IconButton variant="line" aria-label="Zoom in" onClick={() => props.onStep(0.1)}>
        <Plus className="size-4.5" aria-hidden="true" />
      </IconButton>
      <b className="w-13 text-right tabular-nums">{percent}%</b>
    </div>
  );
}

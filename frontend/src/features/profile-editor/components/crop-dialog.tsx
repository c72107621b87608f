import { Minus, Move, Plus, RotateCcw } from 'lucide-react';
import { Slider } from 'radix-ui';
import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react';
import { toast } from 'sonner';
import { Button } from '@/components/ui/button';
import { Dialog } from '@/components/ui/dialog';
import { type Crop, centred, crop, cutOut, moved, SHAPES } from '../crop';
import { type PendingFile, pendingFile } from '../pictures';

export type CropShape = keyof typeof SHAPES;

/** Drag, arrow keys and zoom place the picture in its frame; Apply cuts it out. */
export function CropDialog(props: {
  file: File;
  shape: CropShape;
  onCancel: () => void;
  onApply: (picture: PendingFile) => void;
}) {
  const shape = SHAPES[props.shape];
  const [image, setImage] = useState<HTMLImageElement>();
  const [place, setPlace] = useState<Crop>(centred);
  const [busy, setBusy] = useState(false);
  const drag = useRef<{ x: number; y: number }>(undefined);
  const frame = useRef<HTMLDivElement>(null);

  const { file, onCancel } = props;
  useEffect(() => {
    const url = URL.createObjectURL(file);
    const picture = new Image();
    picture.onload = () => setImage(picture);
    picture.onerror = () => {
      toast.error(`${file.name} can't be read`, { description: 'The file may be damaged.' });
      onCancel();
    };
    picture.src = url;
    return () => URL.revokeObjectURL(url);
  }, [file, onCancel]);

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
    const blob = await cutOut(image, place, shape);
    toast.success('Image repositioned');
    props.onApply(pendingFile(blob, blob.type === 'image/webp' ? 'picture.webp' : 'picture.jpg'));
  }
  const area = image ? crop(place, image, shape) : undefined;
  return (
    <Dialog
      open
      wide
      onOpenChange={(open) => !open && onCancel()}
      title={shape.title}
      description="Drag the picture, or use the arrow keys. Zoom with the slider."
      footer={
        <>
          <Button variant="ghost" style={{ marginRight: 'auto' }} onClick={() => setPlace(centred)}>
            <RotateCcw className="i" aria-hidden="true" />
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
        ref={frame}
        className="crop crop-frame"
        style={{ aspectRatio: shape.ratio, maxWidth: shape.ratio > 1 ? undefined : 360 }}
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
        onPointerUp={() => {
          drag.current = undefined;
        }}
      >
        {image && area ? (
          <img
            src={image.src}
            alt=""
            draggable={false}
            style={{
              width: `${(image.naturalWidth / area.width) * 100}%`,
              left: `${(-area.x / area.width) * 100}%`,
              top: `${(-area.y / area.height) * 100}%`,
            }}
          />
        ) : null}
        <span className="grid3" style={{ inset: 0 }} />
        <span className="tip" style={{ bottom: 12 }}>
          <Move className="i i16" aria-hidden="true" />
          Drag to move
        </span>
      </div>
      <div className="zoom">
        <button type="button" className="ib line" aria-label="Zoom out" onClick={() => zoom(place.zoom - 0.1)}>
          <Minus className="i i18" aria-hidden="true" />
        </button>
        <Slider.Root
          className="range grow"
          min={100}
          max={300}
          step={5}
          value={[Math.round(place.zoom * 100)]}
          onValueChange={([value]) => value && zoom(value / 100)}
        >
          <Slider.Track className="range-track">
            <Slider.Range className="range-part" />
          </Slider.Track>
          <Slider.Thumb className="range-thumb" aria-label="Zoom" />
        </Slider.Root>
        <button type="button" className="ib line" aria-label="Zoom in" onClick={() => zoom(place.zoom + 0.1)}>
          <Plus className="i i18" aria-hidden="true" />
        </button>
        <b className="num" style={{ width: 52, textAlign: 'right' }}>
          {Math.round(place.zoom * 100)}%
        </b>
      </div>
      {props.shape === 'cover' ? <p className="hint">Your round photo covers the lower left of the cover.</p> : null}
    </Dialog>
  );
}

import { clsx } from 'clsx';
// A list of photos that can be reordered with the mouse, touch or the arrow keys, and removed. During a save each photo
// shows its upload progress; a failed one offers Retry.

import { closestCenter, DndContext, type DragEndEvent, PointerSensor, useSensor, useSensors } from '@dnd-kit/core';
import { rectSortingStrategy, SortableContext, useSortable } from '@dnd-kit/sortable';
import { CSS } from '@dnd-kit/utilities';
import { GripVertical, ImageOff, ImageUp, Trash2, X } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react';
import { Picture } from '@/components/picture';
import { UbinPattern } from '@/components/ubin-pattern';
import { Button } from '@/components/ui/button';
import { Chip } from '@/components/ui/chip';
import { IconButton } from '@/components/ui/icon-button';
import { toast } from '@/lib/toast';
import { isUnsaved, type Photo, sourceOf } from '../pending';
import type { PicturesStore } from '../store';
import { FileButton } from './file-button';

const STEPS: Record<string, number> = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 };

/** The same URL may be in the list twice. */
const idsOf = (photos: Photo[]): string[] =>
  photos.map((photo, index) => {
    const id = isUnsaved(photo) ? photo.id : photo.stored;
    return photos.findIndex((other) => (isUnsaved(other) ? other.id : other.stored) === id) < index
      ? `${id}#${index}`
      : id;
  });

export function SortablePhotos<Name extends string>(props: {
  store: PicturesStore<Name>;
  /** What an item is called: 'photo' or 'image'. */
  noun: string;
  /** The message when there is no space for another. */
  full: string;
  /** The kind named in section 8 of the specification: 'content' or 'gallery'. */
  kind: string;
  /** On wide screens. */
  columns: 3 | 4;
  onRetry: () => void;
  /** If set, a photo can be replaced in its place. */
  onReplace?: (photo: Photo, file: File) => void;
  /** Shown after the last photo, to add more. */
  children: ReactNode;
}) {
  const { onReplace } = props;
  const { photos, sending, failed, movePhoto, removePhoto, insertPhoto } = props.store();
  const list = useRef<HTMLOListElement>(null);
  const [said, setSaid] = useState('');
  const sensors = useSensors(useSensor(PointerSensor, { activationConstraint: { distance: 4 } }));
  const ids = idsOf(photos);
  const Noun = props.noun.charAt(0).toUpperCase() + props.noun.slice(1);

  function move(from: number, to: number) {
    if (to < 0 || to >= photos.length || to === from) return;
    movePhoto(from, to);
    setSaid(`${Noun} ${from + 1} is now ${props.noun} ${to + 1} of ${photos.length}.`);
  }
  function remove(index: number) {
    const photo = photos[index];
    if (!photo) return;
    removePhoto(index);
    setSaid(`${Noun} ${index + 1} removed, ${photos.length - 1} left.`);
    toast(`${Noun} removed`, {
      action: { label: 'Undo', onClick: () => insertPhoto(index, photo) || toast.error(props.full) },
    });
    // The focused button is gone, so focus the next one.
    requestAnimationFrame(() => {
      const left = list.current?.querySelectorAll<HTMLElement>('[data-remove]');
      const next = left?.[Math.min(index, left.length - 1)] ?? list.current?.querySelector<HTMLElement>('button');
      next?.focus();
    });
  }
  function onDragEnd({ active, over }: DragEndEvent) {
    if (over) move(ids.indexOf(String(active.id)), ids.indexOf(String(over.id)));
  }
  return (
    <>
      <DndContext
        sensors={sensors}
        collisionDetection={closestCenter}
        onDragEnd={onDragEnd}
        // Announced below instead, with the same text for pointer and keyboard.
        accessibility={{ announcements: SILENT, screenReaderInstructions: { draggable: '' } }}
      >
        <SortableContext items={ids} strategy={rectSortingStrategy}>
          <ol
            ref={list}
            data-slot="photos"
            className={clsx('grid grid-cols-2 gap-3 sm:grid-cols-3 sm:gap-4', props.columns === 4 && 'md:grid-cols-4')}
          >
            {photos.map((photo, index) => (
              <Tile
                key={ids[index]}
                id={ids[index] ?? ''}
                photo={photo}
                place={index + 1}
                count={photos.length}
                noun={props.noun}
                kind={props.kind}
                share={isUnsaved(photo) ? sending[photo.id] : undefined}
                failed={isUnsaved(photo) && failed.includes(photo.id)}
                onMove={(step) => move(index, index + step)}
                onRemove={() => remove(index)}
                onRetry={props.onRetry}
                onReplace={onReplace ? (file) => onReplace(photo, file) : undefined}
              />
            ))}
            {props.children}
          </ol>
        </SortableContext>
      </DndContext>
      <p className="sr-only" aria-live="polite">
        {said}
      </p>
    </>
  );
}

const nothing = () => undefined;
const SILENT = { onDragStart: nothing, onDragOver: nothing, onDragEnd: nothing, onDragCancel: nothing };

function Tile(props: {
  id: string;
  photo: Photo;
  place: number;
  count: number;
  noun: string;
  kind: string;
  share: number | undefined;
  failed: boolean;
  onMove: (step: number) => void;
  onRemove: () => void;
  onRetry: () => void;
  onReplace: ((file: File) => void) | undefined;
}) {
  const { noun, place, share, photo } = props;
  const { setNodeRef, listeners, transform, transition, isDragging } = useSortable({ id: props.id });
  const name = `${noun} ${place}`;
  const style = { transform: CSS.Translate.toString(transform), transition };

  function onKeyDown(event: KeyboardEvent) {
    const step = STEPS[event.key];
    if (!step) return;
    event.preventDefault();
    props.onMove(step);
  }
  if (props.failed && share === undefined) {
    return (
      <li
        ref={setNodeRef}
        className="inset-ring-2 inset-ring-destructive grid min-h-full min-w-0 content-center justify-items-center gap-1 rounded-lg bg-destructive-soft p-3.5 text-center text-destructive"
        style={style}
      >
        <ImageOff className="size-6" aria-hidden="true" />
        <b className="text-sm">Failed to upload {props.kind} image</b>
        <div className="flex items-center gap-1.5">
          <Button size="small" variant="outline" aria-label={`Retry ${name}`} onClick={props.onRetry}>
            Retry
          </Button>
          <IconButton size="small" variant="danger" data-remove aria-label={`Remove ${name}`} onClick={props.onRemove}>
            <Trash2 className="size-4.5" aria-hidden="true" />
          </IconButton>
        </div>
      </li>
    );
  }
  const percent = Math.round((share ?? 0) * 100);
  return (
    <li
      ref={setNodeRef}
      data-dragging={isDragging || undefined}
      className={clsx(
        'photo-edge relative aspect-square min-w-0 overflow-hidden rounded-lg bg-muted',
        isDragging && 'z-2 opacity-92 shadow-lg',
      )}
      style={style}
    >
      <Picture
        className={clsx('size-full object-cover', share !== undefined && 'opacity-42 brightness-104 saturate-25')}
        src={sourceOf(photo)}
        alt={`${noun} ${place} of ${props.count}`}
        width={240}
        height={240}
        fallback={<UbinPattern seed={String(place)} columns={2} rows={2} />}
      />
      <IconButton
        size="small"
        variant="photo"
        className="absolute top-2 left-2 cursor-grab touch-none max-sm:top-1.5 max-sm:left-1.5"
        aria-label={`Move ${name}, use the arrow keys`}
        {...listeners}
        onKeyDown={onKeyDown}
      >
        <GripVertical className="size-4.5" aria-hidden="true" />
      </IconButton>
      <IconButton
        size="small"
        variant="photo"
        className="absolute top-2 right-2 max-sm:top-1.5 max-sm:right-1.5"
        data-remove
        aria-label={`Remove ${name}`}
        onClick={props.onRemove}
      >
        <X className="size-4.5" aria-hidden="true" />
      </IconButton>
      {share !== undefined ? (
        <div
          className="absolute inset-x-2 bottom-2 rounded-md bg-white px-3 py-2.5 text-ink"
          role="progressbar"
          aria-label={`Uploading ${name}`}
          aria-valuenow={percent}
          aria-valuemin={0}
          aria-valuemax={100}
        >
          <div className="h-1.5 overflow-hidden rounded-xs bg-[#dbe1d8]">
            <div className="h-full rounded-xs bg-pandan" style={{ width: `${percent}%` }} />
          </div>
        </div>
      ) : (
        <>
          <span
            className="absolute bottom-2 left-2 grid h-6.5 min-w-6.5 place-items-center rounded-full bg-white px-2 font-bold text-[13px] text-ink tabular-nums"
            aria-hidden="true"
          >
            {place}
          </span>
          {isUnsaved(photo) ? (
            <Chip tone="amber" className="absolute right-2 bottom-2 max-w-[calc(100%-58px)]">
              Not saved yet
            </Chip>
          ) : null}
          {props.onReplace ? <ReplaceButton name={name} onReplace={props.onReplace} /> : null}
        </>
      )}
    </li>
  );
}

function ReplaceButton({ name, onReplace }: { name: string; onReplace: (file: File) => void }) {
  return (
    <FileButton label={`Replace ${name}`} onFile={onReplace}>
      {(open) => (
        <IconButton
          size="small"
          variant="photo"
          className="absolute top-13 right-2"
          aria-label={`Choose another ${name}`}
          onClick={open}
        >
          <ImageUp className="size-4.5" aria-hidden="true" />
        </IconButton>
      )}
    </FileButton>
  );
}

// Accepts and scales picture files. Rejections are shown as toasts. Pictures larger than any screen shows are scaled
// down before the upload.
import { toast } from '@/lib/toast';
import { type PendingFile, pendingFile } from './pending';

/** The storage service's limit. */
const MOST_BYTES = 10 * 1000 * 1000;
export const TYPES = ['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/avif'];
const KINDS = 'Choose a JPEG, PNG, WebP, GIF or AVIF file.';
/** The longer side of a picture on the largest screen that shows it. */
const MOST_PIXELS = 2400;

/** Returns the accepted files; shows a toast for each rejected one. */
export function acceptable(files: Iterable<File>): File[] {
  return [...files].filter((file) => {
    if (!TYPES.includes(file.type)) {
      const kind = file.type.startsWith('image/') ? "can't be shown in a browser" : 'is not a picture';
      toast.error(`${file.name} ${kind}`, { description: KINDS });
      return false;
    }
    if (file.size > MOST_BYTES) {
      toast.error(`${file.name} is too large`, { description: 'A picture can be at most 10 MB.' });
      return false;
    }
    return true;
  });
}

let turn: Promise<unknown> = Promise.resolve();

/**
 * Prepares photos of a list for the save, one after the other, so that they arrive in the order in which they were
 * chosen. A file that can't be scaled is uploaded as it is, and the server checks it.
 */
export function pendingFiles(files: File[]): Promise<PendingFile[]> {
  const mine = turn.then(async () => {
    const ready: PendingFile[] = [];
    // A decoded photo can take 200 MB of memory.
    for (const file of files) ready.push((await scaled(file).catch(() => undefined)) ?? pendingFile(file, file.name));
    return ready;
  });
  turn = mine;
  return mine;
}

/** Returns undefined if the picture is small enough or may be animated. */
async function scaled(file: File): Promise<PendingFile | undefined> {
  if (file.type === 'image/gif') return undefined;
  const bitmap = await createImageBitmap(file);
  const share = MOST_PIXELS / Math.max(bitmap.width, bitmap.height);
  if (share >= 1) {
    bitmap.close();
    return undefined;
  }
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(bitmap.width * share);
  canvas.height = Math.round(bitmap.height * share);
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  bitmap.close();
  const blob = await pictureOf(canvas);
  return pendingFile(blob, `scaled.${extensionOf(blob)}`);
}

/** Browsers without WebP encoding write PNG. */
export const extensionOf = (blob: Blob): string => (blob.type === 'image/webp' ? 'webp' : 'png');

export const pictureOf = (canvas: HTMLCanvasElement): Promise<Blob> =>
  new Promise((resolve, reject) => {
    canvas.toBlob(
      (blob) => (blob ? resolve(blob) : reject(new Error('The picture could not be created.'))),
      'image/webp',
      0.88,
    );
  });

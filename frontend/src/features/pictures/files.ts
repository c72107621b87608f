// Which files may become pictures, and how large they may be.
// Refusals are told in words; a picture with more pixels than anybody sees is scaled before it travels.
import { toast } from 'sonner';
import { type PendingFile, pendingFile } from './pending';

/** As the storage service: larger files would be refused there. */
const MOST_BYTES = 10 * 1000 * 1000;
export const TYPES = ['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/avif'];
const KINDS = 'Choose a JPEG, PNG, WebP, GIF or AVIF file.';
/** The longer side of a picture on the largest screen that shows it. */
const MOST_PIXELS = 2400;

/** Those that can be taken; the others are refused, each by its name. */
export function acceptable(files: Iterable<File>): File[] {
  return [...files].filter((file) => {
    if (!TYPES.includes(file.type)) {
      const kind = file.type.startsWith('image/') ? "can't be shown in a browser" : 'is not a picture';
      toast.error(`${file.name} ${kind}`, { description: KINDS });
      return false;
    }
    if (file.size > MOST_BYTES) {
      toast.error(`${file.name} is too large`, { description: 'A picture can have at most 10 MB.' });
      return false;
    }
    return true;
  });
}

let turn: Promise<unknown> = Promise.resolve();

/**
 * Photos of a list, ready to wait for the save. What can't be scaled goes as it is: the server looks again. Those chosen
 * first are ready first, however large they are.
 */
export function pendingFiles(files: File[]): Promise<PendingFile[]> {
  const ready = Promise.all(
    files.map(async (file) => (await scaled(file).catch(() => undefined)) ?? pendingFile(file, file.name)),
  );
  const mine = turn.then(() => ready);
  turn = mine;
  return mine;
}

/** Nothing when it is small enough, or moves. */
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

/** Browsers that write no WebP write PNG. */
export const extensionOf = (blob: Blob): string => (blob.type === 'image/webp' ? 'webp' : 'png');

export const pictureOf = (canvas: HTMLCanvasElement): Promise<Blob> =>
  new Promise((resolve, reject) => {
    canvas.toBlob(
      (blob) => (blob ? resolve(blob) : reject(new Error('The picture could not be made.'))),
      'image/webp',
      0.88,
    );
  });

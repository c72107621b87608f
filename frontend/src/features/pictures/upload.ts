// Uploads pending pictures to the path from section 7 of the specification: {user id}/{kind}-{time}.{extension}. A
// failed upload is reported and skipped: the old picture stays, and the save continues.
import { storage } from '@/lib/storage';
import { isUnsaved, type PendingFile, type Photo, type Slot, type StoredPictures } from './pending';

const BUCKET = 'images';
/** Browsers open six connections per origin, and the page needs some of them. */
const AT_ONCE = 3;

/** The URLs of uploaded files, so that a save that is retried doesn't upload them again. */
const stored = new WeakMap<Blob, string>();
export const storedAs = ({ file }: PendingFile): string | undefined => stored.get(file);

export interface UploadInput<Name extends string> {
  userId: string;
  slots: Record<Name, Slot>;
  photos: Photo[];
  /**
   * The kind named in section 8 of the specification, for each slot ('cover') and for photos of the list ('content').
   */
  kinds: Record<Name, string> & { photo: string };
  onFailed: (kind: string, file: PendingFile, error: unknown) => void;
  /** The progress of one file, from 0 to 1. */
  onProgress?: (id: string, share: number) => void;
  /** Cancels the uploads: `uploadPictures` removes what it has stored so far and rejects. */
  signal?: AbortSignal;
}

interface Job {
  file: PendingFile;
  kind: string;
  label: string;
}

export async function uploadPictures<Name extends string>(input: UploadInput<Name>): Promise<StoredPictures<Name>> {
  const { userId, kinds, signal } = input;
  const slots = Object.entries(input.slots) as [Name, Slot][];
  const jobs: Job[] = [
    ...slots.flatMap(([name, { pending }]) =>
      pending ? [{ file: pending, kind: kinds[name], label: kinds[name] }] : [],
    ),
    ...input.photos.flatMap((photo, index) =>
      isUnsaved(photo) ? [{ file: photo, kind: kinds.photo, label: `${kinds.photo}-${index}` }] : [],
    ),
  ].filter(({ file }) => !storedAs(file));
  const work = jobs.values();
  const paths: string[] = [];
  const worker = async () => {
    for (const { file, kind, label } of work) {
      if (signal?.aborted) return;
      try {
        const path = `${userId}/${label}-${Date.now()}.${file.extension}`;
        paths.push(path);
        const onProgress = (share: number) => input.onProgress?.(file.id, share);
        stored.set(file.file, await store(path, file.file, onProgress, signal));
      } catch (error) {
        if (!signal?.aborted) input.onFailed(kind, file, error);
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  if (signal?.aborted) {
    for (const { file } of jobs) stored.delete(file.file);
    await discard(paths);
    signal.throwIfAborted();
  }
  return {
    slots: Object.fromEntries(
      slots.map(([name, slot]) => [name, (slot.pending && storedAs(slot.pending)) ?? slot.stored]),
    ) as StoredPictures<Name>['slots'],
    photos: input.photos
      .map((photo) => (isUnsaved(photo) ? storedAs(photo) : photo.stored))
      .filter((url) => url !== undefined),
  };
}

/** Files that could not be removed stay unused; that must not turn the cancellation into an error. */
async function discard(paths: string[]): Promise<void> {
  if (paths.length > 0)
    await storage(() => {})
      .from(BUCKET)
      .remove(paths)
      .catch(console.warn);
}

async function store(
  path: string,
  file: Blob,
  onProgress: (share: number) => void,
  signal?: AbortSignal,
): Promise<string> {
  onProgress(0);
  const bucket = storage(onProgress, signal).from(BUCKET);
  const { error } = await bucket.upload(path, file, { upsert: true, contentType: file.type, cacheControl: '31536000' });
  if (error) throw error;
  return bucket.getPublicUrl(path).data.publicUrl;
}

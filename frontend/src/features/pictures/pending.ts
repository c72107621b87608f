// Chosen pictures that are not stored yet, and stored ones. They are kept apart until the save. `store.ts` holds them
// and `upload.ts` uploads them, for every portal's form.

export interface PendingFile {
  /** Distinguishes pending files with the same name. */
  id: string;
  file: Blob;
  extension: string;
  preview: string;
}

/** A photo in a list: the influencer's content or the agency's gallery. */
export type Photo = { stored: string } | PendingFile;

/** A place for one picture: cover, photo, logo or banner. */
export interface Slot {
  stored: string | null;
  pending?: PendingFile;
}

/** The URLs of a profile's saved pictures. */
export interface StoredPictures<Name extends string> {
  slots: Record<Name, string | null>;
  photos: string[];
}

export const isUnsaved = (photo: Photo): photo is PendingFile => 'preview' in photo;

/** The URL to show. */
export const sourceOf = (photo: Photo): string => (isUnsaved(photo) ? photo.preview : photo.stored);
export const slotSource = (slot: Slot): string | null => slot.pending?.preview ?? slot.stored;

export function pendingFile(file: Blob, name: string): PendingFile {
  const extension = /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? file.type.split('/')[1] ?? 'jpg';
  return { id: crypto.randomUUID(), file, extension, preview: URL.createObjectURL(file) };
}

export function release(...photos: (Photo | undefined)[]) {
  for (const photo of photos) if (photo && isUnsaved(photo)) URL.revokeObjectURL(photo.preview);
}

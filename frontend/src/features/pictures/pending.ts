// A picture that was chosen and is not stored yet, beside one that is. They are kept apart until the save.
// Every portal's form uses these: `store.ts` holds them, `upload.ts` stores them.

export interface PendingFile {
  /** Tells two pending files of one name apart. */
  id: string;
  file: Blob;
  extension: string;
  preview: string;
}

/** One of a list: the influencer's content, the agency's gallery. */
export type Photo = { stored: string } | PendingFile;

/** A place for one picture: cover, photo, logo, banner. */
export interface Slot {
  stored: string | null;
  pending?: PendingFile;
}

export const isUnsaved = (photo: Photo): photo is PendingFile => 'preview' in photo;

/** What a picture element shows. */
export const sourceOf = (photo: Photo): string => (isUnsaved(photo) ? photo.preview : photo.stored);
export const slotSource = (slot: Slot): string | null => slot.pending?.preview ?? slot.stored;

export function pendingFile(file: Blob, name: string): PendingFile {
  const extension = /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? file.type.split('/')[1] ?? 'jpg';
  return { id: crypto.randomUUID(), file, extension, preview: URL.createObjectURL(file) };
}

export function release(...photos: (Photo | undefined)[]) {
  for (const photo of photos) if (photo && isUnsaved(photo)) URL.revokeObjectURL(photo.preview);
}

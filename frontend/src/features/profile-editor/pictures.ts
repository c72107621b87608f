// Stored pictures and newly chosen files are kept apart until they are saved.
import { create } from 'zustand';
import { MAX_PHOTOS } from './choices';

export interface PendingFile {
  /** Tells two pending files of one name apart. */
  id: string;
  file: Blob;
  extension: string;
  preview: string;
}

export type Photo = { stored: string } | PendingFile;

export interface Slot {
  stored: string | null;
  pending?: PendingFile;
}

interface Pictures {
  cover: Slot;
  profile: Slot;
  content: Photo[];
  changed: boolean;
  /** Begins with what is stored; drops everything that was pending. */
  load: (cover: string | null, profile: string | null, content: string[]) => void;
  choose: (slot: 'cover' | 'profile', file: PendingFile) => void;
  addPhotos: (files: PendingFile[]) => boolean;
  removePhoto: (index: number) => void;
}

const isPending = (photo: Photo): photo is PendingFile => 'preview' in photo;

function release(...photos: (Photo | undefined)[]) {
  for (const photo of photos) if (photo && isPending(photo)) URL.revokeObjectURL(photo.preview);
}

export const usePictures = create<Pictures>()((set, get) => ({
  cover: { stored: null },
  profile: { stored: null },
  content: [],
  changed: false,
  load: (cover, profile, content) => {
    const now = get();
    release(now.cover.pending, now.profile.pending, ...now.content);
    set({
      cover: { stored: cover },
      profile: { stored: profile },
      content: content.map((stored) => ({ stored })),
      changed: false,
    });
  },
  choose: (slot, file) => {
    const now = get()[slot];
    release(now.pending);
    set({ [slot]: { stored: now.stored, pending: file }, changed: true });
  },
  addPhotos: (files) => {
    const { content } = get();
    if (content.length + files.length > MAX_PHOTOS) {
      release(...files);
      return false;
    }
    set({ content: [...content, ...files], changed: true });
    return true;
  },
  removePhoto: (index) => {
    const { content } = get();
    release(content[index]);
    set({ content: content.filter((_, other) => other !== index), changed: true });
  },
}));

/** What a picture element shows. */
export const sourceOf = (photo: Photo): string => (isPending(photo) ? photo.preview : photo.stored);
export const slotSource = (slot: Slot): string | null => slot.pending?.preview ?? slot.stored;
export const isUnsaved = isPending;

export function pendingFile(file: Blob, name: string): PendingFile {
  const extension = /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? file.type.split('/')[1] ?? 'jpg';
  return { id: crypto.randomUUID(), file, extension, preview: URL.createObjectURL(file) };
}

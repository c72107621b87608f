// The pictures of a portal's form: named slots, and a list with a limit. Each portal creates its store once. The store
// outlives the form, so that chosen pictures are kept for a new sign-in.
import { create } from 'zustand';
import { isUnsaved, type PendingFile, type Photo, release, type Slot, type StoredPictures } from './pending';
import { storedAs } from './upload';

/** Unsaved changes, with all that is needed to restore them after a reload. */
export interface UnsavedPictures {
  slots: Record<string, PendingFile>;
  /** Absent if the list is unchanged. */
  photos?: Photo[];
}

interface Content<Name extends string> {
  slots: Record<Name, Slot>;
  photos: Photo[];
}

export interface Pictures<Name extends string> extends Content<Name> {
  changed: boolean;
  /** The upload progress of each pending file during a save, from 0 to 1. */
  sending: Record<string, number>;
  /** Photos whose upload failed; the next save tries them again. */
  failed: string[];
  /** Starts with the stored pictures and drops everything pending. */
  load: (stored: StoredPictures<Name>) => void;
  /** Call after a save: stored pictures are no longer pending, and a failed slot shows its old picture again. */
  settle: (stored: StoredPictures<Name>) => void;
  choose: (name: Name, file: PendingFile) => void;
  /** Adds as many as fit. Returns whether all were added. */
  addPhotos: (files: PendingFile[]) => boolean;
  removePhoto: (index: number) => void;
  /** Replaces the photo at its current position. */
  replacePhoto: (photo: Photo, file: PendingFile) => void;
  /** Undoes a removal. Returns false if the list has been filled since. */
  insertPhoto: (index: number, photo: Photo) => boolean;
  movePhoto: (from: number, to: number) => void;
  sent: (id: string, share: number) => void;
  fail: (id: string) => void;
  unsaved: () => UnsavedPictures;
  restore: (kept: UnsavedPictures) => void;
}

const recordOf = <Name extends string, Value>(names: readonly Name[], value: (name: Name) => Value) =>
  Object.fromEntries(names.map((name) => [name, value(name)])) as Record<Name, Value>;

const isList = (photos: Photo[], urls: string[]): boolean =>
  photos.length === urls.length && photos.every((photo, index) => !isUnsaved(photo) && photo.stored === urls[index]);

/** After a save, the same photo is a different object, so compares URLs too. */
function placeOf(photo: Photo, photos: Photo[]): number {
  const exactly = photos.indexOf(photo);
  if (exactly >= 0) return exactly;
  const stored = isUnsaved(photo) ? storedAs(photo) : photo.stored;
  return photos.findIndex((other) => !isUnsaved(other) && other.stored === stored);
}

export const createPictures = <Name extends string>(names: readonly Name[], mostPhotos = 0) =>
  create<Pictures<Name>>()((set, get) => {
    let saved: StoredPictures<Name> = { slots: recordOf(names, () => null), photos: [] };
    /** Kept while the form is open, because a removal can be undone. */
    let removed: Photo[] = [];
    const put = (content: Partial<Content<Name>>) =>
      set((now) => {
        const { slots, photos } = { ...now, ...content };
        const pending = names.some((name) => slots[name].pending);
        const waits = (id: string) => photos.some((photo) => isUnsaved(photo) && photo.id === id);
        return {
          ...content,
          changed: pending || !isList(photos, saved.photos),
          failed: now.failed.filter(waits),
        };
      });
    return {
      slots: recordOf(names, () => ({ stored: null })),
      photos: [],
      changed: false,
      sending: {},
      failed: [],
      load: (stored) => {
        const now = get();
        release(...names.map((name) => now.slots[name].pending), ...now.photos, ...removed);
        [saved, removed] = [stored, []];
        put({
          slots: recordOf(names, (name) => ({ stored: stored.slots[name] })),
          photos: stored.photos.map((url) => ({ stored: url })),
        });
        set({ sending: {}, failed: [] });
      },
      settle: (stored) => {
        const now = get();
        const untouched = isList(now.photos, saved.photos);
        saved = stored;
        put({
          slots: recordOf(names, (name) => {
            const { pending } = now.slots[name];
            const waits = pending && !storedAs(pending) && !now.failed.includes(pending.id);
            if (!waits) release(pending);
            return { stored: stored.slots[name], ...(waits ? { pending } : {}) };
          }),
          photos: untouched
            ? stored.photos.map((url) => ({ stored: url }))
            : now.photos.map((photo) => {
                const url = isUnsaved(photo) && storedAs(photo);
                if (!url) return photo;
                release(photo);
                return { stored: url };
              }),
        });
        set({ sending: {} });
      },
      choose: (name, pending) => {
        const { slots } = get();
        release(slots[name].pending);
        put({ slots: { ...slots, [name]: { stored: slots[name].stored, pending } } });
      },
      addPhotos: (files) => {
        const { photos } = get();
        const room = Math.max(0, mostPhotos - photos.length);
        release(...files.slice(room));
        put({ photos: [...photos, ...files.slice(0, room)] });
        return files.length <= room;
      },
      removePhoto: (index) => {
        const { photos } = get();
        removed.push(...photos.slice(index, index + 1));
        put({ photos: photos.toSpliced(index, 1) });
      },
      replacePhoto: (photo, file) => {
        const { photos } = get();
        const index = placeOf(photo, photos);
        // The photo was removed while its replacement was being read.
        if (index < 0) return release(file);
        removed.push(...photos.slice(index, index + 1));
        put({ photos: photos.toSpliced(index, 1, file) });
      },
      insertPhoto: (index, photo) => {
        const { photos } = get();
        if (photos.length >= mostPhotos) return false;
        removed = removed.filter((other) => other !== photo);
        put({ photos: photos.toSpliced(index, 0, photo) });
        return true;
      },
      movePhoto: (from, to) => {
        const { photos } = get();
        const photo = photos[from];
        if (photo && to >= 0 && to < photos.length) put({ photos: photos.toSpliced(from, 1).toSpliced(to, 0, photo) });
      },
      sent: (id, share) =>
        set(({ sending, failed }) => ({
          sending: { ...sending, [id]: share },
          failed: failed.filter((other) => other !== id),
        })),
      fail: (id) => set(({ sending: { [id]: _gone, ...sending }, failed }) => ({ sending, failed: [...failed, id] })),
      unsaved: () => {
        const { slots, photos } = get();
        const pending = names.flatMap((name) => (slots[name].pending ? [[name, slots[name].pending] as const] : []));
        return { slots: Object.fromEntries(pending), ...(isList(photos, saved.photos) ? {} : { photos }) };
      },
      restore: (kept) => {
        const { slots, photos } = get();
        put({
          slots: recordOf(names, (name) => ({
            ...slots[name],
            ...(kept.slots[name] ? { pending: kept.slots[name] } : {}),
          })),
          photos: kept.photos ?? photos,
        });
      },
    };
  });

export type PicturesStore<Name extends string> = ReturnType<typeof createPictures<Name>>;

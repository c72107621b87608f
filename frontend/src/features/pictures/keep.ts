// Stores unsaved pictures in IndexedDB, so that they survive a reload (session storage can't hold files). Like the
// draft they belong to (`lib/draft.ts`), they are kept for one tab and one account, for a day.
import { createStore, del, delMany, entries, get, set } from 'idb-keyval';
import { isUnsaved, type PendingFile, type Photo } from './pending';
import type { UnsavedPictures } from './store';

const DAY = 24 * 60 * 60 * 1000;
const TAB = 'serasi-tab';

interface Kept extends UnsavedPictures {
  userId: string;
  at: number;
}

let database: ReturnType<typeof createStore> | undefined;
function pictures() {
  database ??= createStore('serasi-pictures', 'unsaved');
  return database;
}

function keyOf(kind: string): string {
  const tab = window.sessionStorage.getItem(TAB) ?? crypto.randomUUID();
  window.sessionStorage.setItem(TAB, tab);
  return `${kind}:${tab}`;
}

/** Storing files is optional: private windows or a full disk must not cause an error. */
const quietly = <Value>(work: () => Promise<Value>): Promise<Value | undefined> =>
  new Promise<Value>((resolve) => resolve(work())).catch(() => undefined);

export const keepPictures = (kind: string, userId: string, unsaved: UnsavedPictures) =>
  quietly(() => set(keyOf(kind), { ...unsaved, userId, at: Date.now() } satisfies Kept, pictures()));

export const dropPictures = (kind: string) => quietly(() => del(keyOf(kind), pictures()));

/** Creates new previews, because object URLs end with the page. */
export const keptPictures = (kind: string, userId: string): Promise<UnsavedPictures | undefined> =>
  quietly(async () => {
    const all = await entries<string, Kept>(pictures());
    await delMany(
      all.filter(([, { at }]) => Date.now() - at > DAY).map(([key]) => key),
      pictures(),
    );
    const kept = await get<Kept>(keyOf(kind), pictures());
    if (kept?.userId !== userId) return undefined;
    return {
      slots: Object.fromEntries(Object.entries(kept.slots).map(([name, file]) => [name, shown(file)])),
      ...(kept.photos ? { photos: kept.photos.map((photo): Photo => (isUnsaved(photo) ? shown(photo) : photo)) } : {}),
    };
  });

const shown = (file: PendingFile): PendingFile => ({ ...file, preview: URL.createObjectURL(file.file) });

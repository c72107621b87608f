// Stores the favorites of visitors in this browser.
import { create } from 'zustand';

interface LocalFavorites {
  /** Newest first. */
  ids: string[];
  toggle: (id: string) => void;
  drop: (id: string) => void;
}

/** Keeps its old spelling, so that visitors don't lose their favorites. */
const KEY = 'serasi-favourites';

/** Without a readable list, or without storage, there are no favorites yet. */
export function storedIds(): string[] {
  try {
    const { state } = JSON.parse(localStorage.getItem(KEY) ?? '');
    return Array.isArray(state.ids) ? state.ids.filter((id: unknown) => typeof id === 'string') : [];
  } catch {
    return [];
  }
}

export const useLocalFavorites = create<LocalFavorites>((set) => ({
  ids: storedIds(),
  toggle: (id) => set(({ ids }) => ({ ids: ids.includes(id) ? ids.filter((other) => other !== id) : [id, ...ids] })),
  drop: (id) => set(({ ids }) => ({ ids: ids.filter((other) => other !== id) })),
}));

// Writes what zustand's `persist` would write, which is larger than this store and would be in every first page.
useLocalFavorites.subscribe(({ ids }) => {
  try {
    localStorage.setItem(KEY, JSON.stringify({ state: { ids }, version: 0 }));
  } catch {
    // Storage is full or blocked: the favorites last until the page is closed.
  }
});

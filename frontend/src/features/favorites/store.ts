// Stores the favorites of visitors in this browser.
import { create } from 'zustand';
import { persist } from 'zustand/middleware';

interface LocalFavorites {
  /** Newest first. */
  ids: string[];
  toggle: (id: string) => void;
  drop: (id: string) => void;
}

export const useLocalFavorites = create<LocalFavorites>()(
  persist(
    (set) => ({
      ids: [],
      toggle: (id) =>
        set(({ ids }) => ({ ids: ids.includes(id) ? ids.filter((other) => other !== id) : [id, ...ids] })),
      drop: (id) => set(({ ids }) => ({ ids: ids.filter((other) => other !== id) })),
    }),
    // Keeps its old spelling, so that visitors don't lose their favorites.
    { name: 'serasi-favourites' },
  ),
);

// Stores the favorites of visitors in this browser.
import { create } from 'zustand';
import { persist } from 'zustand/middleware';

interface LocalFavourites {
  /** Newest first. */
  ids: string[];
  toggle: (id: string) => void;
  drop: (id: string) => void;
}

export const useLocalFavourites = create<LocalFavourites>()(
  persist(
    (set) => ({
      ids: [],
      toggle: (id) =>
        set(({ ids }) => ({ ids: ids.includes(id) ? ids.filter((other) => other !== id) : [id, ...ids] })),
      drop: (id) => set(({ ids }) => ({ ids: ids.filter((other) => other !== id) })),
    }),
    { name: 'serasi-favourites' },
  ),
);

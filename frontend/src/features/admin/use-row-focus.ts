import { type RefObject, useEffect, useRef } from 'react';

const links = (place: HTMLElement | null) => [...(place?.querySelectorAll<HTMLElement>('[data-row]') ?? [])];

/** A closing dialog returns focus a moment later, to a row that may be gone. */
const AFTER_DIALOG = 60;

/** Keyboard focus in a table: moves to the next or previous row, and to a neighbor when the focused row is removed. */
export function useRowFocus(place: RefObject<HTMLElement | null>, count: number) {
  const kept = useRef<number>(undefined);
  const index = () => {
    const active = document.activeElement;
    return links(place.current).findIndex((link) => active && link.closest('tr')?.contains(active));
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when rows are added or removed
  useEffect(() => {
    const at = kept.current;
    if (at === undefined) return;
    kept.current = undefined;
    const timer = setTimeout(() => {
      const active = document.activeElement;
      if (active && active !== document.body) return;
      const all = links(place.current);
      (all[at] ?? all.at(-1))?.focus();
    }, AFTER_DIALOG);
    return () => clearTimeout(timer);
  }, [count]);
  return {
    /** The id of the focused row. */
    current: () => links(place.current)[index()]?.dataset.row,
    move: (by: number) => {
      const all = links(place.current);
      const now = index();
      const next = now < 0 ? 0 : Math.min(Math.max(now + by, 0), all.length - 1);
      all[next]?.focus();
    },
    /** Call before removing a row: afterwards its neighbor gets the focus. */
    keep: (id: string | undefined) => {
      const at = links(place.current).findIndex((link) => link.dataset.row === id);
      if (at >= 0) kept.current = at;
    },
  };
}

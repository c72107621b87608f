// Where toasts appear on wide screens: at the lower right, above the save bar and above the field in use.
import { type RefObject, useEffect } from 'react';

type Box = Pick<DOMRect, 'left' | 'top' | 'right' | 'bottom'>;

/** The distance from the window's edges, and from what a toast stays above. */
const EDGE = 24;
const GAP = 12;
const WIDTH = 380;
/** As high as three collapsed toasts with two lines of text. */
const HEIGHT = 160;

/** How far above the window's lower edge toasts start, so that they cover none of the boxes. */
export function toastBottom(boxes: Box[], view: { width: number; height: number }): number {
  let bottom = EDGE;
  for (const box of boxes.toSorted((one, other) => other.bottom - one.bottom)) {
    const lower = view.height - bottom + GAP;
    const beside = box.right <= view.width - EDGE - WIDTH || box.top >= lower || box.bottom <= lower - GAP - HEIGHT;
    const above = view.height - box.top + GAP;
    // A field that fills the window leaves no room above it.
    if (!beside && above + HEIGHT <= view.height) bottom = above;
  }
  return bottom;
}

/** Keeps `--toast-bottom`, which styles/libraries.css uses, up to date while a form is open. */
export function useToastClearance(bar: RefObject<HTMLElement | null>) {
  useEffect(() => {
    const root = document.documentElement;
    function update() {
      const used = document.activeElement;
      const parts = [bar.current, used === document.body ? null : used].filter((part) => part !== null);
      const view = { width: root.clientWidth, height: window.innerHeight };
      const bottom = toastBottom(
        parts.map((part) => part.getBoundingClientRect()),
        view,
      );
      root.style.setProperty('--toast-bottom', `${Math.round(bottom)}px`);
    }
    const sizes = new ResizeObserver(update);
    sizes.observe(document.body);
    const events = ['focusin', 'focusout', 'scroll', 'resize'] as const;
    for (const name of events) window.addEventListener(name, update, { passive: true });
    return () => {
      sizes.disconnect();
      for (const name of events) window.removeEventListener(name, update);
      root.style.removeProperty('--toast-bottom');
    };
  }, [bar]);
}

const MOVES = new Set(['Tab', 'Enter', 'Escape']);
const MOVES_OUTSIDE_TEXT = new Set(['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'Home', 'End', ' ']);

const isText = (target: EventTarget | null) =>
  target instanceof HTMLTextAreaElement || (target instanceof HTMLInputElement && target.type !== 'checkbox');

/**
 * Marks the page from the first key that moves the focus until the next click; focus rings are shown only then.
 * Browsers alone would also show them on every text field, and where a script moves the focus after a click.
 */
export function watchKeyboard() {
  const { dataset } = document.documentElement;
  const note = (event: Event) => {
    if (!(event instanceof KeyboardEvent)) delete dataset.keyboard;
    else if (MOVES.has(event.key) || (MOVES_OUTSIDE_TEXT.has(event.key) && !isText(event.target)))
      dataset.keyboard = '';
  };
  for (const type of ['keydown', 'pointerdown']) window.addEventListener(type, note, true);
}

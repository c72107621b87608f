/** Marks the page while the focus moves by keyboard, so that text fields show a focus ring only then. */
export function watchKeyboard() {
  const { dataset } = document.documentElement;
  const note = (event: Event) => {
    if (event.type === 'pointerdown') delete dataset.keyboard;
    else if (event instanceof KeyboardEvent && event.key === 'Tab') dataset.keyboard = '';
  };
  for (const type of ['keydown', 'pointerdown']) window.addEventListener(type, note, true);
}

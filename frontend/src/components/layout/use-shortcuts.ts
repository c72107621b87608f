import { useEffect } from 'react';

/** Whether a key press is text for a field, or belongs to an open dialog or menu. */
function isTaken({ target, defaultPrevented, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  if (defaultPrevented || ctrlKey || metaKey || altKey) return true;
  return (
    target instanceof Element &&
    target.closest('input, textarea, select, [contenteditable], [role=dialog], [role=menu], [role=listbox]') !== null
  );
}

/** The page's own search field, or else the header's. On a phone the header has none. */
function searchField(): HTMLInputElement | undefined {
  const fields = [...document.querySelectorAll<HTMLInputElement>('main input[type=search], header input[type=search]')];
  const visible = fields.filter((field) => field.getClientRects().length > 0);
  return visible.find((field) => field.closest('main')) ?? visible[0];
}

/** `/` goes to the search, `?` shows all shortcuts. */
export function useShortcuts(showAll: () => void) {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (isTaken(event)) return;
      if (event.key === '?') showAll();
      const field = event.key === '/' ? searchField() : undefined;
      if (!field) return;
      // Otherwise the field would receive the slash.
      event.preventDefault();
      document.documentElement.dataset.keyboard = '';
      field.focus();
      field.select();
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, [showAll]);
}

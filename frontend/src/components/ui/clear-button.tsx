import { X } from 'lucide-react';
import { IconButton } from './icon-button';

/** Empties a search field, and returns the focus to it. Rendered beside the input, in the same frame. */
export function ClearButton({ onClear }: { onClear: () => void }) {
  return (
    <IconButton
      size="small"
      className="-mr-2"
      aria-label="Clear text"
      onClick={({ currentTarget }) => {
        currentTarget.parentElement?.querySelector('input')?.focus();
        onClear();
      }}
    >
      <X className="size-4.5" aria-hidden="true" />
    </IconButton>
  );
}

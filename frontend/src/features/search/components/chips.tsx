import { X } from 'lucide-react';
import { chipVariants } from '@/components/ui/chip';
import type { Chip } from '../chips';

/** The applied filters as removable chips. Removing one moves the focus to the next. */
export function Chips({ chips, onRemove }: { chips: readonly Chip[]; onRemove: (chip: Chip) => void }) {
  return chips.map((chip) => (
    <button
      key={chip.key}
      type="button"
      className={chipVariants({ tone: 'green', size: 'tall' })}
      onClick={({ currentTarget }) => {
        const others = [currentTarget.nextElementSibling, currentTarget.previousElementSibling];
        const place = others.find((other) => other instanceof HTMLButtonElement) ?? currentTarget.closest('section');
        onRemove(chip);
        place?.focus({ preventScroll: true });
      }}
    >
      <span className="sr-only">Remove filter: </span>
      {chip.label}
      <X aria-hidden="true" />
    </button>
  ));
}

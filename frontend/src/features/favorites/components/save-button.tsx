import { Bookmark } from 'lucide-react';
import type { Favorites } from '../use-favorites';

interface SaveButtonProps {
  id: string;
  name: string;
  favorites: Pick<Favorites, 'ids' | 'toggle'>;
}

/** The bookmark button on a card: filled while the profile is a favorite. */
export function SaveButton({ id, name, favorites }: SaveButtonProps) {
  const saved = favorites.ids?.includes(id) ?? false;
  return (
    <button
      type="button"
      className="ib s card-save"
      aria-label={saved ? `Remove ${name} from favorites` : `Save ${name}`}
      aria-pressed={saved}
      disabled={!favorites.ids}
      onClick={() => favorites.toggle(id)}
    >
      <Bookmark className="i" aria-hidden="true" />
    </button>
  );
}

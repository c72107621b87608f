import { Bookmark } from 'lucide-react';
import type { Favourites } from '../use-favourites';

interface SaveButtonProps {
  id: string;
  name: string;
  favourites: Pick<Favourites, 'ids' | 'toggle'>;
}

/** The bookmark button on a card: filled while the profile is a favorite. */
export function SaveButton({ id, name, favourites }: SaveButtonProps) {
  const saved = favourites.ids?.includes(id) ?? false;
  return (
    <button
      type="button"
      className="ib s card-save"
      aria-label={saved ? `Remove ${name} from favorites` : `Save ${name}`}
      aria-pressed={saved}
      disabled={!favourites.ids}
      onClick={() => favourites.toggle(id)}
    >
      <Bookmark className="i" aria-hidden="true" />
    </button>
  );
}

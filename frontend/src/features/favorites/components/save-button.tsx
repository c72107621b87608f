import { Bookmark } from 'lucide-react';
import { IconButton } from '@/components/ui/icon-button';
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
    <IconButton
      size="small"
      className="relative z-1 -my-2 -mr-1.5 ml-auto text-primary"
      aria-label={saved ? `Remove ${name} from favorites` : `Save ${name}`}
      aria-pressed={saved}
      disabled={!favorites.ids}
      onClick={() => favorites.toggle(id)}
    >
      <Bookmark className={saved ? 'fill-current' : undefined} aria-hidden="true" />
    </IconButton>
  );
}

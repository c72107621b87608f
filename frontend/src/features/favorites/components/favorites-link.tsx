import { useQuery } from '@tanstack/react-query';
import { Heart } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Link } from 'react-router';
import { useSession } from '@/app/session';
import { iconButtonVariants } from '@/components/ui/icon-button';
import { paths } from '@/lib/paths';
import { favoriteIdsQuery } from '../queries';
import { useLocalFavorites } from '../store';

/** The heart in the header, with the number of saved profiles. */
export function FavoritesLink() {
  const { account } = useSession();
  const local = useLocalFavorites(({ ids }) => ids);
  const idle = useIdle();
  // Shares the Save buttons' query. On pages without them, it is sent once the page has loaded.
  const stored = useQuery({ ...favoriteIdsQuery(account?.id ?? ''), enabled: Boolean(account) && idle });
  const count = (account ? stored.data : local)?.length;
  return (
    <Link
      className={iconButtonVariants({ className: 'relative' })}
      to={paths.favorites}
      aria-label={count ? `Favorites, ${count} saved` : 'Favorites'}
    >
      <Heart aria-hidden="true" />
      {count ? (
        <span className="absolute top-1 right-0 min-w-4.5 rounded-full bg-coral px-1 text-center font-bold text-[11px] text-ink tabular-nums leading-4.5">
          {count > 99 ? '99+' : count}
        </span>
      ) : null}
    </Link>
  );
}

/** Whether the page has loaded and the browser has nothing to do. Safari has no idle callbacks. */
function useIdle() {
  const [idle, setIdle] = useState(false);
  useEffect(() => {
    const later = window.requestIdleCallback ?? window.setTimeout;
    const wait = () => later(() => setIdle(true));
    if (document.readyState === 'complete') wait();
    else window.addEventListener('load', wait, { once: true });
    return () => window.removeEventListener('load', wait);
  }, []);
  return idle;
}

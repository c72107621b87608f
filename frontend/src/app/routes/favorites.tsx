import { useSession } from '@/app/session';
import { InfluencerCardSkeleton } from '@/components/influencer-card';
import { LoadFailure } from '@/components/load-failure';
import { cardGrid } from '@/components/ui/card-grid';
import { BriefToAll } from '@/features/enquiries/components/brief-to-all';
import { BrowserBanner } from '@/features/favorites/components/browser-banner';
import { FavoriteList } from '@/features/favorites/components/favorite-list';
import { NoFavorites } from '@/features/favorites/components/no-favorites';
import { useFavorites } from '@/features/favorites/use-favorites';
import { mayBeSignedIn } from '@/lib/stored-session';

/** Favorites are stored in the database for signed-in users, and in this browser for visitors. */
export default function FavoritesPage() {
  const { status } = useSession();
  const favorites = useFavorites();
  if (favorites.error) {
    return <LoadFailure title="Failed to load favorites" error={favorites.error} retry={favorites.retry} />;
  }
  const ids = status === 'loading' && favorites.local && mayBeSignedIn() ? undefined : favorites.ids;
  return (
    <main className="wrap">
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-4 pt-10 pb-6">
        <div>
          <h1 className="text-[34px] leading-[1.08] lg:text-[44px]">Favorites</h1>
          {ids?.length === 0 ? null : (
            <p className="mt-2 text-[17px] text-muted-foreground">Profiles you saved, newest first.</p>
          )}
        </div>
        <BriefToAll ids={ids ?? []} />
      </div>
      {ids && ids.length > 0 && favorites.local ? <BrowserBanner /> : null}
      {ids ? ids.length > 0 ? <FavoriteList ids={ids} favorites={favorites} /> : <NoFavorites /> : <Skeletons />}
    </main>
  );
}

function Skeletons() {
  return (
    <>
      <p className="mb-4 font-sans font-semibold text-[16px] leading-6 tracking-normal" role="status">
        Loading favorites...
      </p>
      <div className={cardGrid({ columns: 'four' })}>
        {['a', 'b', 'c', 'd'].map((key) => (
          <InfluencerCardSkeleton key={key} />
        ))}
      </div>
    </>
  );
}

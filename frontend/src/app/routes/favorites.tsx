import { useSession } from '@/app/session';
import { InfluencerCardSkeleton } from '@/components/influencer-card';
import { LoadFailure } from '@/components/load-failure';
import { BrowserBanner } from '@/features/favourites/components/browser-banner';
import { FavouriteList } from '@/features/favourites/components/favourite-list';
import { NoFavourites } from '@/features/favourites/components/no-favourites';
import { useFavourites } from '@/features/favourites/use-favourites';
import { usePageTitle } from '@/hooks/use-page-title';
import { mayBeSignedIn } from '@/lib/stored-session';

/** Favorites are stored in the database for signed-in users, and in this browser for visitors. */
export default function FavoritesPage() {
  usePageTitle('Favorites');
  const { status } = useSession();
  const favourites = useFavourites();
  if (favourites.error) {
    return <LoadFailure title="Failed to load favorites" error={favourites.error} retry={favourites.retry} />;
  }
  const ids = status === 'loading' && favourites.local && mayBeSignedIn() ? undefined : favourites.ids;
  return (
    <main className="wrap">
      <div className="ph">
        <h1>Favorites</h1>
        {ids?.length === 0 ? null : <p>Profiles you saved, newest first.</p>}
      </div>
      {ids && ids.length > 0 && favourites.local ? <BrowserBanner /> : null}
      {ids ? ids.length > 0 ? <FavouriteList ids={ids} favourites={favourites} /> : <NoFavourites /> : <Skeletons />}
    </main>
  );
}

function Skeletons() {
  return (
    <>
      <p className="saved-count" role="status">
        Loading favorites...
      </p>
      <div className="grid c4">
        {['a', 'b', 'c', 'd'].map((key) => (
          <InfluencerCardSkeleton key={key} />
        ))}
      </div>
    </>
  );
}

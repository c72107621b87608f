import { InsteadPage } from '@/features/pages/components/instead-page';
import { usePageTitle } from '@/hooks/use-page-title';

export default function WatchlistPage() {
  usePageTitle('Watchlist');
  return (
    <InsteadPage
      title="Watchlist"
      text="Serasi can't tell you yet when a profile changes. Favorites keeps the ones you want to look at again."
    />
  );
}

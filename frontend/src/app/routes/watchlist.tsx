import { MissingFeaturePage } from '@/features/pages/components/missing-feature-page';
import { usePageTitle } from '@/hooks/use-page-title';

export default function WatchlistPage() {
  usePageTitle('Watchlist');
  return (
    <MissingFeaturePage
      title="Watchlist"
      text="Serasi can't tell you yet when a profile changes. Favorites keeps the ones you want to look at again."
    />
  );
}

import { MissingFeaturePage } from '@/features/pages/components/missing-feature-page';
import { usePageTitle } from '@/hooks/use-page-title';

export default function WatchlistPage() {
  usePageTitle('Watchlist');
  return (
    <MissingFeaturePage
      title="Watchlist"
      text="Alerts about profile changes aren't available yet. Save a profile to find it again in Favorites."
    />
  );
}

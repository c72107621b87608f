import { MissingFeaturePage } from '@/features/pages/components/missing-feature-page';

export default function WatchlistPage() {
  return (
    <MissingFeaturePage
      title="Watchlist"
      text="Alerts about profile changes aren't available yet. Save a profile to find it again in Favorites."
    />
  );
}

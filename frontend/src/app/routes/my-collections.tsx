import { MissingFeaturePage } from '@/features/pages/components/missing-feature-page';
import { usePageTitle } from '@/hooks/use-page-title';

export default function MyCollectionsPage() {
  usePageTitle('My Collections');
  return (
    <MissingFeaturePage
      title="My Collections"
      text="Collections aren't available yet. All your saved profiles are in Favorites, newest first."
    />
  );
}

import { MissingFeaturePage } from '@/features/pages/components/missing-feature-page';
import { usePageTitle } from '@/hooks/use-page-title';

export default function MyCollectionsPage() {
  usePageTitle('My Collections');
  return (
    <MissingFeaturePage
      title="My Collections"
      text="Profiles can't be put into groups yet. Favorites keeps them all in one place, newest first."
    />
  );
}

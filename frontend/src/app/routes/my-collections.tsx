import { MissingFeaturePage } from '@/features/pages/components/missing-feature-page';

export default function MyCollectionsPage() {
  return (
    <MissingFeaturePage
      title="My Collections"
      text="Collections aren't available yet. All your saved profiles are in Favorites, newest first."
    />
  );
}

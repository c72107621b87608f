import { InsteadPage } from '@/features/pages/components/instead-page';
import { usePageTitle } from '@/hooks/use-page-title';

export default function MyCollectionsPage() {
  usePageTitle('My Collections');
  return (
    <InsteadPage
      title="My Collections"
      text="Profiles can't be put into groups yet. Favorites keeps them all in one place, newest first."
    />
  );
}

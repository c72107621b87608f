import { apiSections } from '@/features/pages/api';
import { TextPage } from '@/features/pages/components/text-page';
import { anonKey } from '@/lib/env';

export default function ApiPage() {
  return (
    <TextPage
      title="API"
      lead="Read the marketplace's public data from your own programs."
      sections={apiSections(anonKey())}
    />
  );
}

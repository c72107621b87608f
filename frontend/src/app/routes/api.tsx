import { apiSections } from '@/features/pages/api';
import { TextPage } from '@/features/pages/components/text-page';
import { usePageTitle } from '@/hooks/use-page-title';
import { anonKey } from '@/lib/env';

export default function ApiPage() {
  usePageTitle('API');
  return <TextPage title="API" lead="How programs read what these pages show." sections={apiSections(anonKey())} />;
}

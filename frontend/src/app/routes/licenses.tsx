import { TextPage } from '@/features/pages/components/text-page';
import { LICENSES } from '@/features/pages/licenses';
import { usePageTitle } from '@/hooks/use-page-title';

export default function LicensesPage() {
  usePageTitle('Licenses');
  return (
    <TextPage
      title="Licenses"
      lead="The fonts and libraries that Serasi is built with, and their licenses."
      sections={LICENSES}
    />
  );
}

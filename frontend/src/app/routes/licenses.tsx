import { TextPage } from '@/features/pages/components/text-page';
import { LICENSES } from '@/features/pages/licenses';

export default function LicensesPage() {
  return (
    <TextPage
      title="Licenses"
      lead="The fonts and libraries that Serasi is built with, and their licenses."
      sections={LICENSES}
    />
  );
}

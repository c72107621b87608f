import { TextPage } from '@/features/pages/components/text-page';
import { HELP } from '@/features/pages/help-center';
import { usePageTitle } from '@/hooks/use-page-title';

export default function HelpCenterPage() {
  usePageTitle('Help Center');
  return (
    <TextPage title="Help Center" lead="Short answers for brands, creators, agencies and vendors." sections={HELP} />
  );
}

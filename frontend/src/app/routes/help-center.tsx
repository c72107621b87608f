import { TextPage } from '@/features/pages/components/text-page';
import { HELP } from '@/features/pages/help-center';

export default function HelpCenterPage() {
  return (
    <TextPage title="Help Center" lead="Short answers for brands, creators, agencies and vendors." sections={HELP} />
  );
}

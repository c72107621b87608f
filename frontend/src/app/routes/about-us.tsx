import { ABOUT } from '@/features/pages/about-us';
import { TextPage } from '@/features/pages/components/text-page';
import { usePageTitle } from '@/hooks/use-page-title';

export default function AboutUsPage() {
  usePageTitle('About Us');
  return (
    <TextPage
      title="About Us"
      lead="Creators, agencies and suppliers from Perlis to Sabah, in one place."
      sections={ABOUT}
    />
  );
}

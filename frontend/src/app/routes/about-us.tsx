import { ABOUT } from '@/features/pages/about-us';
import { TextPage } from '@/features/pages/components/text-page';

export default function AboutUsPage() {
  return (
    <TextPage
      title="About Us"
      lead="Creators, agencies and suppliers from Perlis to Sabah, in one place."
      sections={ABOUT}
    />
  );
}

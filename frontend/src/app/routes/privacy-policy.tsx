import { TextPage } from '@/features/pages/components/text-page';
import { PRIVACY } from '@/features/pages/privacy-policy';

export default function PrivacyPolicyPage() {
  return (
    <TextPage
      title="Privacy Policy"
      lead="What we keep about you, who can see it, and how to have it removed."
      sections={PRIVACY}
    />
  );
}

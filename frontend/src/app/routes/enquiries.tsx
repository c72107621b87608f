import { SignedIn } from '@/components/signed-in';
import { EnquiriesPage as Enquiries } from '@/features/enquiries/components/enquiries-page';
import { usePageTitle } from '@/hooks/use-page-title';

export default function EnquiriesPage() {
  usePageTitle('Enquiries');
  return (
    <SignedIn to="see your enquiries" text="Sent one without an account? Open the link in our e-mail.">
      {(userId) => <Enquiries key={userId} userId={userId} />}
    </SignedIn>
  );
}

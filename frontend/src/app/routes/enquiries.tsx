import { SignedIn } from '@/components/signed-in';
import { EnquiriesPage as Enquiries } from '@/features/enquiries/components/enquiries-page';

export default function EnquiriesPage() {
  return (
    <SignedIn to="see your enquiries" text="Sent one without an account? Open the link in our e-mail.">
      {(userId) => <Enquiries key={userId} userId={userId} />}
    </SignedIn>
  );
}

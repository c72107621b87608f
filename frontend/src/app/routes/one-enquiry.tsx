import { useParams } from 'react-router';
import { SignedIn } from '@/components/signed-in';
import { EnquiryPage as Enquiry } from '@/features/enquiries/components/enquiry-page';

export default function EnquiryPage() {
  const { id = '' } = useParams();
  return (
    <SignedIn to="see your enquiries" text="Sent one without an account? Open the link in our e-mail.">
      {(userId) => <Enquiry key={`${userId} ${id}`} userId={userId} id={id} />}
    </SignedIn>
  );
}

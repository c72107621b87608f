import { useParams } from 'react-router';
import { EnquiryPage as Enquiry } from '@/features/enquiries/components/enquiry-page';
import { SignedIn } from '@/features/enquiries/components/signed-in';
import { usePageTitle } from '@/hooks/use-page-title';

export default function EnquiryPage() {
  const { id = '' } = useParams();
  usePageTitle('Enquiry');
  return <SignedIn>{(userId) => <Enquiry key={`${userId} ${id}`} userId={userId} id={id} />}</SignedIn>;
}

import { EnquiriesPage as Enquiries } from '@/features/enquiries/components/enquiries-page';
import { SignedIn } from '@/features/enquiries/components/signed-in';
import { usePageTitle } from '@/hooks/use-page-title';

export default function EnquiriesPage() {
  usePageTitle('Enquiries');
  return <SignedIn>{(userId) => <Enquiries key={userId} userId={userId} />}</SignedIn>;
}

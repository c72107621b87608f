import { useParams } from 'react-router';
import { GuestPage } from '@/features/enquiries/components/guest-page';
import { usePageTitle } from '@/hooks/use-page-title';

/** Where the links in mails to guests lead. Opening it changes nothing. */
export default function GuestEnquiryPage() {
  const { token = '' } = useParams();
  usePageTitle('Your enquiry');
  return <GuestPage key={token} token={token} />;
}

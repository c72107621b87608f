import { useParams } from 'react-router';
import { GuestPage } from '@/features/enquiries/components/guest-page';
import { usePageTitle } from '@/hooks/use-page-title';

/** The page that links in mails to guests lead to. Opening it changes nothing. */
export default function GuestEnquiryPage() {
  const { token = '' } = useParams();
  usePageTitle('Your enquiry');
  return <GuestPage key={token} token={token} />;
}

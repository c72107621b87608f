import { useParams } from 'react-router';
import { GuestPage } from '@/features/enquiries/components/guest-page';

/** The page that links in mails to guests lead to. Opening it changes nothing. */
export default function GuestEnquiryPage() {
  const { token = '' } = useParams();
  return <GuestPage key={token} token={token} />;
}

import { useLocation, useParams } from 'react-router';
import { Loader } from '@/components/empty-state';
import { SignedIn } from '@/components/signed-in';
import { AccountReview } from '@/features/reviews/components/account-review';
import { GuestReview } from '@/features/reviews/components/guest-review';
import { usePageTitle } from '@/hooks/use-page-title';

/** Guests have the token of a mailed link behind `#`, which no server and no other site gets to see. */
export default function ReviewPage() {
  usePageTitle('Review');
  const { collaboration = '' } = useParams();
  const token = new URLSearchParams(useLocation().hash.slice(1)).get('token');
  if (token) return <GuestReview key={token} token={token} />;
  return (
    <SignedIn to="write a review" loading={<Loader label="Loading..." />}>
      {(userId) => <AccountReview key={collaboration} id={collaboration} userId={userId} />}
    </SignedIn>
  );
}

import { SignedIn } from '@/components/signed-in';
import { SecurityPage } from '@/features/auth/components/security-page';

/** The second factors of the account. */
export default function Security() {
  return <SignedIn to="see your security settings">{(userId) => <SecurityPage userId={userId} />}</SignedIn>;
}

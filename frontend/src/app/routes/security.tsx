import { SignedIn } from '@/components/signed-in';
import { SecurityPage } from '@/features/auth/components/security-page';
import { usePageTitle } from '@/hooks/use-page-title';

/** The second factors of the account. */
export default function Security() {
  usePageTitle('Security');
  return <SignedIn to="see your security settings">{(userId) => <SecurityPage userId={userId} />}</SignedIn>;
}

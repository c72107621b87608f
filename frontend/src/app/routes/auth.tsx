import { PortalPage } from '@/features/auth/components/portal-page';
import { PORTALS, type Portal } from '@/features/auth/portals';
import { usePageTitle } from '@/hooks/use-page-title';

/** The sign-in page of one user type. */
export default function AuthPage({ userType }: { userType: Portal['userType'] }) {
  const portal = PORTALS[userType];
  usePageTitle(portal.title);
  // Each portal has its own form: nothing typed in one carries over to another.
  return <PortalPage key={userType} portal={portal} />;
}

import { PortalPage } from '@/features/auth/components/portal-page';
import { PORTALS, type Portal } from '@/features/auth/portals';
import { usePageTitle } from '@/hooks/use-page-title';

/** The door of one user type. */
export default function AuthPage({ userType }: { userType: Portal['userType'] }) {
  const portal = PORTALS[userType];
  usePageTitle(portal.title);
  // A form of its own: what was typed at one door is not for the next.
  return <PortalPage key={userType} portal={portal} />;
}

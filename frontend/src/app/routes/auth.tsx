import { PortalPage } from '@/features/auth/components/portal-page';
import { INFLUENCER_PORTAL } from '@/features/auth/portals';
import { usePageTitle } from '@/hooks/use-page-title';

export default function AuthPage() {
  usePageTitle(INFLUENCER_PORTAL.title);
  return <PortalPage portal={INFLUENCER_PORTAL} />;
}

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { useSession } from '@/app/session';
import { Loader } from '@/components/empty-state';
import { LoadFailure } from '@/components/load-failure';
import { PortalGuard } from '@/components/portal-guard';
import { TabClosed } from '@/components/tab-closed';
import { Editor } from '@/features/agency-editor/components/editor';
import { ownAgencyQuery } from '@/features/agency-editor/queries';
import type { Tab } from '@/features/agency-editor/schema';
import { ConfirmEmail } from '@/features/auth/components/confirm-email';
import { GigManager } from '@/features/gig-manager/components/gig-manager';
import { keptGig } from '@/features/gig-manager/use-gig-draft';
import { useFailureToast } from '@/hooks/use-failure-toast';
import { paths } from '@/lib/paths';

const LOAD_FAILED = 'Failed to load agency profile';

export default function AgencyDashboardPage() {
  return (
    <PortalGuard
      portal="agency"
      signIn={paths.agencyAuth}
      denied="Access denied. This dashboard is for agencies only."
      failed={LOAD_FAILED}
    >
      {(userId) => <OwnAgency key={userId} userId={userId} />}
    </PortalGuard>
  );
}

function OwnAgency({ userId }: { userId: string }) {
  const { signOut, refresh, closedPages } = useSession();
  const { data, isPending, isError, error, refetch } = useQuery(ownAgencyQuery(userId));
  const [params] = useSearchParams();
  // Reopens the Gigs tab if there is an unsaved gig draft. Notifications link to it.
  const [firstTab] = useState<Tab>(() => (keptGig(userId) || params.get('tab') === 'gigs' ? 'gigs' : 'basic'));
  useFailureToast(isError, LOAD_FAILED);
  if (isPending) return <Loader label="Loading your profile..." />;
  if (isError) return <LoadFailure title={LOAD_FAILED} error={error} retry={refetch} />;
  return (
    <Editor
      userId={userId}
      row={data}
      notice={<ConfirmEmail userId={userId} leadsTo={paths.agencyDashboard} />}
      firstTab={firstTab}
      onSaved={() => void refresh()}
      signOut={signOut}
      gigs={(toBasicInfo) =>
        closedPages.includes('gigs') ? (
          <TabClosed page="gigs" />
        ) : (
          <GigManager userId={userId} onComplete={toBasicInfo} />
        )
      }
    />
  );
}

import { useQuery } from '@tanstack/react-query';
import { useSession } from '@/app/session';
import { Loader } from '@/components/empty-state';
import { LoadFailure } from '@/components/load-failure';
import { PortalGuard } from '@/components/portal-guard';
import { ConfirmEmail } from '@/features/auth/components/confirm-email';
import { Editor } from '@/features/vendor-editor/components/editor';
import { ownVendorQuery } from '@/features/vendor-editor/queries';
import { useFailureToast } from '@/hooks/use-failure-toast';
import { paths } from '@/lib/paths';

const LOAD_FAILED = 'Failed to load vendor profile';

export default function VendorDashboardPage() {
  return (
    <PortalGuard
      portal="vendor"
      signIn={paths.vendorAuth}
      denied="Access denied. This dashboard is for vendors only."
      failed={LOAD_FAILED}
    >
      {(userId) => <OwnVendor key={userId} userId={userId} />}
    </PortalGuard>
  );
}

function OwnVendor({ userId }: { userId: string }) {
  const { signOut, refresh } = useSession();
  const { data, isPending, isError, error, refetch } = useQuery(ownVendorQuery(userId));
  useFailureToast(isError, LOAD_FAILED);
  if (isPending) return <Loader label="Loading your profile..." />;
  if (isError) return <LoadFailure title={LOAD_FAILED} error={error} retry={refetch} />;
  return (
    <Editor
      userId={userId}
      row={data}
      notice={<ConfirmEmail userId={userId} leadsTo={paths.vendorDashboard} />}
      onSaved={() => void refresh()}
      signOut={signOut}
    />
  );
}

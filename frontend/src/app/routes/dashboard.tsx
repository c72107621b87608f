import { useQuery } from '@tanstack/react-query';
import { useSession } from '@/app/session';
import { EmptyState, Loader } from '@/components/empty-state';
import { PortalGuard } from '@/components/portal-guard';
import { Button } from '@/components/ui/button';
import { ConfirmEmail } from '@/features/auth/components/confirm-email';
import { Editor } from '@/features/profile-editor/components/editor';
import { ownProfileQuery } from '@/features/profile-editor/queries';
import { paths } from '@/lib/paths';

const LOAD_FAILED = 'Failed to load influencer profile.';

/** Influencers only: visitors are sent to the sign-in page, other roles are signed out. */
export default function DashboardPage() {
  return (
    <PortalGuard
      portal="influencer"
      signIn={paths.auth}
      denied="Access denied. This dashboard is for influencers only."
      failed={LOAD_FAILED}
    >
      {(userId) => <OwnProfile userId={userId} />}
    </PortalGuard>
  );
}

function OwnProfile({ userId }: { userId: string }) {
  const { signOut, refresh } = useSession();
  const { data, isPending, isError, refetch } = useQuery(ownProfileQuery(userId));
  if (isPending) return <Loader label="Loading your profile..." />;
  if (isError) {
    return (
      <main className="wrap pt-10">
        <EmptyState level="h1" title={LOAD_FAILED} text="Check your connection. Your saved data is safe.">
          <Button onClick={() => void refetch()}>Try again</Button>
        </EmptyState>
      </main>
    );
  }
  return (
    <Editor
      key={userId}
      userId={userId}
      row={data}
      notice={<ConfirmEmail userId={userId} leadsTo={paths.dashboard} />}
      onSaved={() => void refresh()}
      signOut={signOut}
    />
  );
}

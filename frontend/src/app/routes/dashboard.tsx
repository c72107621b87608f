import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Navigate, useNavigate } from 'react-router';
import { toast } from 'sonner';
import { useSession } from '@/app/session';
import { EmptyState, Loader } from '@/components/empty-state';
import { LoadFailure } from '@/components/load-failure';
import { Editor } from '@/features/profile-editor/components/editor';
import { ownProfileQuery } from '@/features/profile-editor/queries';
import { usePageTitle } from '@/hooks/use-page-title';
import { paths } from '@/lib/paths';

const LOAD_FAILED = 'Failed to load influencer profile.';

/** For influencers: no session goes to the sign-in, another role is signed out. */
export default function DashboardPage() {
  usePageTitle('Dashboard');
  const { status, account, roles, failed, signOut, refresh } = useSession();
  const navigate = useNavigate();
  const wrongRole = status === 'in' && !failed && !roles.includes('influencer');
  useEffect(() => {
    if (!wrongRole) return;
    toast.error('Access denied. This dashboard is for influencers only.');
    void signOut().then(() => navigate(paths.auth));
  }, [wrongRole, signOut, navigate]);

  if (status === 'out') return <Navigate to={paths.auth} replace />;
  if (failed) return <LoadFailure title={LOAD_FAILED} error={undefined} retry={() => void refresh()} />;
  if (status === 'loading' || wrongRole || !account) return <Loader label="Loading your profile..." />;
  return <OwnProfile userId={account.id} />;
}

function OwnProfile({ userId }: { userId: string }) {
  const { signOut, refresh } = useSession();
  const { data, isPending, isError, refetch } = useQuery(ownProfileQuery(userId));
  if (isPending) return <Loader label="Loading your profile..." />;
  if (isError) {
    return (
      <main className="wrap" style={{ paddingTop: 40 }}>
        <EmptyState level="h1" title={LOAD_FAILED} text="Your connection may be down. Nothing is lost.">
          <button type="button" className="btn primary" onClick={() => void refetch()}>
            Try again
          </button>
        </EmptyState>
      </main>
    );
  }
  return <Editor key={userId} userId={userId} row={data} onSaved={() => void refresh()} signOut={signOut} />;
}

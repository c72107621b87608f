import { useQuery } from '@tanstack/react-query';
import { EmptyState, Loader } from '@/components/empty-state';
import { LoadFailure } from '@/components/load-failure';
import { SignedIn } from '@/components/signed-in';
import { ApplicationList } from '@/features/applications/components/application-list';
import { ownInfluencerQuery } from '@/lib/own-influencer-query';

export default function ApplicationsPage() {
  return <SignedIn to="see your applications">{(userId) => <OwnApplications userId={userId} />}</SignedIn>;
}

/** An influencer's applications, also after losing access to gigs. */
function OwnApplications({ userId }: { userId: string }) {
  const { data: influencerId, isPending, isError, error, refetch } = useQuery(ownInfluencerQuery(userId));
  if (isError) return <LoadFailure title="Failed to load applications" error={error} retry={refetch} />;
  if (isPending) return <Loader label="Loading applications..." />;
  return (
    <main className="wrap wrap-anywhere pb-10">
      <div className="pt-10 pb-6">
        <h1 className="text-[34px] leading-[1.08] lg:text-[44px]">Your applications</h1>
        <p className="mt-2 text-[17px] text-muted-foreground">The gigs you applied for, newest first.</p>
      </div>
      {influencerId ? (
        <ApplicationList influencerId={influencerId} />
      ) : (
        <EmptyState title="No applications" text="Only influencers with a saved profile can apply for gigs." />
      )}
    </main>
  );
}

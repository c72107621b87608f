import { SignedIn } from '@/components/signed-in';
import { CollaborationList, CollaborationSkeletons } from '@/features/collaborations/components/collaboration-list';

export default function CollaborationsPage() {
  return (
    <main className="wrap">
      <div className="pt-10 pb-6">
        <h1 className="text-[34px] leading-[1.08] lg:text-[44px]">Collaborations</h1>
        <p className="mt-2 text-[17px] text-muted-foreground">Work you’ve agreed on, from start to review.</p>
      </div>
      <SignedIn inside to="see your collaborations" loading={<CollaborationSkeletons />}>
        {(userId) => <CollaborationList userId={userId} />}
      </SignedIn>
    </main>
  );
}

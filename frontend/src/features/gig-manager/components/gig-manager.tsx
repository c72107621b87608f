import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { EmptyState } from '@/components/empty-state';
import { LoadFailure } from '@/components/load-failure';
import { Button } from '@/components/ui/button';
import { useFailureToast } from '@/hooks/use-failure-toast';
import { totalOf } from '@/lib/pages';
import { agencyIdQuery, type OwnGig, ownGigs, ownGigsKey } from '../queries';
import { draftOf, type GigDraft, keptGig, newGig } from '../use-gig-draft';
import { DeleteGigDialog } from './delete-gig-dialog';
import { GigDialog } from './gig-dialog';
import { GigRow, GigRowSkeleton } from './gig-row';

const FAILED = 'Failed to load gigs';

/** An agency's own gigs. Gigs belong to the agency's record, so it has to exist first. */
export function GigManager({ userId, onComplete }: { userId: string; onComplete: () => void }) {
  const agency = useQuery(agencyIdQuery(userId));
  useFailureToast(agency.isLoadingError, FAILED);
  if (agency.isLoadingError) return <LoadFailure inside title={FAILED} error={agency.error} retry={agency.refetch} />;
  if (agency.isPending) {
    return (
      <>
        <Title />
        <Skeletons />
      </>
    );
  }
  if (agency.data) return <Gigs userId={userId} agencyId={agency.data} onAgencyGone={agency.refetch} />;
  return (
    <div className="p-6 max-sm:p-4.5" role="status">
      <EmptyState title="Complete Your Profile" text="Please complete your agency profile first">
        <Button onClick={onComplete}>Go to Basic Info</Button>
      </EmptyState>
    </div>
  );
}

function Title({ onCreate }: { onCreate?: () => void }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 px-6 pt-6 pb-4 max-sm:px-4.5 max-sm:pt-4.5">
      <div>
        <h2>Gigs</h2>
        <p className="mt-1 text-muted-foreground">Approved and verified influencers see these.</p>
      </div>
      {onCreate ? (
        <Button className="max-sm:w-full" onClick={onCreate}>
          <Plus aria-hidden="true" />
          Create Gig
        </Button>
      ) : null}
    </div>
  );
}

function Gigs({ userId, agencyId, onAgencyGone }: { userId: string; agencyId: string; onAgencyGone: () => void }) {
  const client = useQueryClient();
  const [draft, setDraft] = useState<GigDraft | undefined>(() => keptGig(userId));
  const [deleting, setDeleting] = useState<OwnGig>();
  const { data, isPending, isError, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    ownGigs(agencyId),
  );
  useFailureToast(isError, FAILED);
  const rows = data?.pages.flatMap((page) => page.rows) ?? [];
  const total = totalOf(data?.pages ?? []);
  const reload = () => client.invalidateQueries({ queryKey: ownGigsKey(agencyId) });
  function saved() {
    setDraft(undefined);
    void reload();
  }
  const list = () => {
    if (isPending) return <Skeletons />;
    if (!data) return <LoadFailure inside title={FAILED} error={error} retry={refetch} />;
    if (rows.length === 0) {
      return (
        <EmptyState
          title="No gigs yet"
          text="Create a gig. Approved and verified influencers see it on the Gigs page."
        />
      );
    }
    return (
      <ul>
        {rows.map((gig) => (
          <GigRow key={gig.id} gig={gig} onEdit={() => setDraft(draftOf(gig))} onDelete={() => setDeleting(gig)} />
        ))}
      </ul>
    );
  };
  return (
    <>
      <Title onCreate={() => setDraft(newGig())} />
      <p className="sr-only" role="status">
        {data ? `${rows.length} of ${total} gigs shown` : 'Loading gigs...'}
      </p>
      {list()}
      {hasNextPage ? (
        <div className="grid place-items-center border-border border-t p-4.5">
          <Button variant="outline" busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {isFetchingNextPage ? 'Loading...' : 'Load More'}
          </Button>
        </div>
      ) : null}
      {draft ? (
        <GigDialog
          key={draft.gigId ?? 'new'}
          userId={userId}
          draft={draft}
          onClose={() => setDraft(undefined)}
          onSaved={saved}
          onAgencyGone={onAgencyGone}
        />
      ) : null}
      {deleting ? (
        <DeleteGigDialog
          gig={deleting}
          onClose={() => setDeleting(undefined)}
          onDeleted={() => {
            setDeleting(undefined);
            void reload();
          }}
        />
      ) : null}
    </>
  );
}

function Skeletons() {
  return (
    <ul aria-busy="true">
      {[...'abc'].map((place) => (
        <GigRowSkeleton key={place} />
      ))}
    </ul>
  );
}

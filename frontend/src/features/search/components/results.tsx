import { useInfiniteQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { EmptyState } from '@/components/empty-state';
import { InfluencerCard, InfluencerCardSkeleton } from '@/components/influencer-card';
import { type Chip, chipsOf, type Filters } from '../filters';
import { searchQuery } from '../queries';

export function Results(props: { filters: Filters; onRemove: (chip: Chip) => void; onClear: () => void }) {
  const { data, isPending, isError, isPlaceholderData, hasNextPage, fetchNextPage, isFetchingNextPage, refetch } =
    useInfiniteQuery(searchQuery(props.filters));
  if (isError) {
    return (
      <EmptyState title="Failed to load influencers" text="The list did not arrive. Your connection may be down.">
        <button type="button" className="btn outline" onClick={() => void refetch()}>
          Try again
        </button>
      </EmptyState>
    );
  }
  const rows = data?.pages.flatMap((page) => page.rows) ?? [];
  const total = data?.pages.at(-1)?.total ?? 0;
  return (
    <div aria-busy={isPending || isPlaceholderData}>
      <div className="row wrapf" style={{ marginBottom: 18, gap: 8, minHeight: 34 }}>
        <p className="found" aria-live="polite">
          {isPending ? (
            <span className="muted">Loading influencers...</span>
          ) : (
            `Found ${total} ${total === 1 ? 'influencer' : 'influencers'}`
          )}
        </p>
        {chipsOf(props.filters).map((chip) => (
          <button
            key={chip.key}
            type="button"
            className="chip green"
            style={{ height: 34 }}
            onClick={() => props.onRemove(chip)}
          >
            <span className="sr">Remove filter: </span>
            {chip.label}
            <X className="i" aria-hidden="true" />
          </button>
        ))}
      </div>
      {!isPending && rows.length === 0 ? (
        <EmptyState
          title="No influencers found matching your criteria."
          text="Try a wider follower range, or remove one filter."
        >
          <button type="button" className="btn outline" onClick={props.onClear}>
            Clear all
          </button>
        </EmptyState>
      ) : null}
      <div className={isPlaceholderData ? 'grid c3s waiting' : 'grid c3s'}>
        {rows.map((influencer, index) => (
          <InfluencerCard key={influencer.id} influencer={influencer} eager={index < 3} />
        ))}
        {isPending || isFetchingNextPage ? SKELETONS.map((key) => <InfluencerCardSkeleton key={key} />) : null}
      </div>
      {hasNextPage && !isPlaceholderData ? (
        <div style={{ display: 'grid', placeItems: 'center', marginTop: 32 }}>
          <button
            type="button"
            className="btn outline lg"
            disabled={isFetchingNextPage}
            onClick={() => void fetchNextPage()}
          >
            {isFetchingNextPage ? 'Loading...' : 'Load More'}
          </button>
        </div>
      ) : null}
    </div>
  );
}

const SKELETONS = ['a', 'b', 'c', 'd', 'e', 'f'];

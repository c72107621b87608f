import { useInfiniteQuery } from '@tanstack/react-query';
import { EndlessList } from '@/components/endless-list';
import { cardGrid } from '@/components/ui/card-grid';
import { gigList } from '../queries';
import { GigCard, GigCardSkeleton } from './gig-card';

export function GigList() {
  return (
    <EndlessList
      quiet
      result={useInfiniteQuery(gigList)}
      noun={{ one: 'gig', many: 'gigs' }}
      columns="three"
      card={(gig) => <GigCard gig={gig} />}
      skeleton={<GigCardSkeleton />}
      emptyTitle="No gigs yet."
      emptyText="Agencies post here. Check back soon."
    />
  );
}

/** Shown until it is known whether this account may see gigs. */
export function GigSkeletons() {
  return (
    <div className={cardGrid({ columns: 'three' })} aria-busy="true">
      <p className="sr-only" role="status">
        Loading gigs...
      </p>
      {[...'abcdefghijkl'].map((place) => (
        <GigCardSkeleton key={place} />
      ))}
    </div>
  );
}

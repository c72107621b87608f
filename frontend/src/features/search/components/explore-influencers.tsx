import type { ReactNode } from 'react';
import type { CardInfluencer } from '@/components/influencer-card';
import { chipsOf, without } from '../chips';
import { AGE_RANGE, type Filters, isApplied, NO_FILTERS } from '../filters';
import { ExploreFilters } from './explore-filters';
import { InfluencerResults } from './influencer-results';

/** The Influencers tab of /explore. */
export function ExploreInfluencers(props: {
  filters: Filters;
  asked: Filters;
  set: (filters: Filters) => void;
  action: (influencer: CardInfluencer) => ReactNode;
}) {
  const { filters, set } = props;
  const chips = chipsOf(filters);
  return (
    <>
      <ExploreFilters filters={filters} count={chips.length} onApply={set} />
      <InfluencerResults
        asked={props.asked}
        screen="explore"
        columns="four"
        quiet
        chips={chips}
        // The other filters stay applied, so the age range stays part of them.
        onRemove={(chip) => set({ ...without(filters, chip), age: chip.key === 'age' ? AGE_RANGE : filters.age })}
        onClear={() => set(NO_FILTERS)}
        note={
          isApplied(filters) ? (
            <p className="text-muted-foreground text-sm">
              Profiles without an age are hidden while filters are applied.
            </p>
          ) : null
        }
        action={props.action}
      />
    </>
  );
}

import { useInfiniteQuery } from '@tanstack/react-query';
import { type ReactNode, useCallback } from 'react';
import { EndlessList } from '@/components/endless-list';
import { type CardInfluencer, InfluencerCard, InfluencerCardSkeleton } from '@/components/influencer-card';
import type { Chip } from '../chips';
import type { Filters, Screen } from '../filters';
import { influencerList, type ListedInfluencer } from '../queries';
import { Chips } from './chips';

const INFLUENCERS = { one: 'influencer', many: 'influencers' };

interface ResultsProps {
  /** The filters being queried, which may lag behind typing. */
  asked: Filters;
  screen: Screen;
  columns: 'four' | 'beside';
  quiet?: boolean;
  chips: readonly Chip[];
  onRemove: (chip: Chip) => void;
  onClear: () => void;
  note?: ReactNode;
  /** The action at the end of a card. The page passes it in, because features must not import each other. */
  action: (influencer: CardInfluencer) => ReactNode;
}

/** The cards of one of the three influencer lists, below its applied filters. */
export function InfluencerResults(props: ResultsProps) {
  const result = useInfiniteQuery(influencerList(props.asked, props.screen));
  const { action } = props;
  const card = useCallback(
    (influencer: ListedInfluencer, index: number) => (
      // On a phone only the first card is visible; loading the others eagerly would compete with it.
      <InfluencerCard influencer={influencer} eager={index === 0} action={action(influencer)} />
    ),
    [action],
  );
  return (
    <EndlessList
      result={result}
      noun={INFLUENCERS}
      columns={props.columns}
      quiet={props.quiet ?? false}
      card={card}
      skeleton={<InfluencerCardSkeleton />}
      applied={
        <>
          <Chips chips={props.chips} onRemove={props.onRemove} />
          {props.note}
        </>
      }
      emptyText="Try a wider follower range, or remove one filter."
      clearLabel="Clear all filters"
      onClear={props.onClear}
    />
  );
}

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
  /** What is asked for, which may still lag behind what is being typed. */
  asked: Filters;
  screen: Screen;
  grid: string;
  quiet?: boolean;
  chips: readonly Chip[];
  onRemove: (chip: Chip) => void;
  onClear: () => void;
  note?: ReactNode;
  /** What stands at the end of a card; features don't know each other, so the page brings it. */
  action: (influencer: CardInfluencer) => ReactNode;
}

/** The cards of one of the three influencer lists, with the applied filters above them. */
export function InfluencerResults(props: ResultsProps) {
  const result = useInfiniteQuery(influencerList(props.asked, props.screen));
  const { action } = props;
  const card = useCallback(
    (influencer: ListedInfluencer, index: number) => (
      // On a phone it is the only one to be seen, and the others would take the line from it.
      <InfluencerCard influencer={influencer} eager={index === 0} action={action(influencer)} />
    ),
    [action],
  );
  return (
    <EndlessList
      result={result}
      noun={INFLUENCERS}
      grid={props.grid}
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

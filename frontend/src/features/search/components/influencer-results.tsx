import { useInfiniteQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { type ReactNode, useCallback } from 'react';
import { EndlessList } from '@/components/endless-list';
import { type CardInfluencer, InfluencerCard, InfluencerCardSkeleton } from '@/components/influencer-card';
import type { Chip } from '../chips';
import type { Filters, Screen } from '../filters';
import { influencerList, type ListedInfluencer } from '../queries';

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
      <InfluencerCard influencer={influencer} eager={index < 4} action={action(influencer)} />
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
          {props.chips.map((chip) => (
            <button key={chip.key} type="button" className="chip green tall" onClick={() => props.onRemove(chip)}>
              <span className="sr">Remove filter: </span>
              {chip.label}
              <X className="i" aria-hidden="true" />
            </button>
          ))}
          {props.note}
        </>
      }
      emptyText="Try a wider follower range, or remove one filter."
      emptyAction={
        <button type="button" className="btn outline" onClick={props.onClear}>
          Clear all filters
        </button>
      }
    />
  );
}

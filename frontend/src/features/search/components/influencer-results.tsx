import { useInfiniteQuery } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useCallback } from 'react';
import { EndlessList } from '@/components/endless-list';
import { type CardInfluencer, InfluencerCard, InfluencerCardSkeleton } from '@/components/influencer-card';
import type { Chip } from '../chips';
import { type Filters, isApplied, type Screen } from '../filters';
import { influencerList, type ListedInfluencer } from '../queries';
import { relaxation } from '../relax';
import { Chips } from './chips';

// Loaded on demand: most searches find something.
const CloseMatches = lazy(() => import('./close-matches'));

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
  const { action, asked } = props;
  const result = useInfiniteQuery(influencerList(asked, props.screen));
  const text = asked.q.trim();
  const filtered = asked.category !== '' || isApplied(asked);
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
      emptyText={relaxation(asked)}
      clearLabel="Clear all filters"
      onClear={text || filtered ? props.onClear : undefined}
      instead={
        text ? (
          <Suspense>
            <CloseMatches text={text} filtered={filtered} columns={props.columns} action={action} />
          </Suspense>
        ) : null
      }
    />
  );
}

import { useInfiniteQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { InfluencerCard, InfluencerCardSkeleton } from '@/components/influencer-card';
import { LoadFailure } from '@/components/load-failure';
import { Button } from '@/components/ui/button';
import { cardGrid } from '@/components/ui/card-grid';
import { useFailureToast } from '@/hooks/use-failure-toast';
import { favoriteCardsQuery, PAGE_SIZE } from '../card-queries';
import type { Favorites } from '../use-favorites';
import { SaveButton } from './save-button';
import { UnavailableCard } from './unavailable-card';

export function FavoriteList({ ids, favorites }: { ids: string[]; favorites: Favorites }) {
  // Removing a favorite must not refetch the list, so the requested ids change only when a new one is added.
  const [asked, setAsked] = useState(ids);
  if (ids.some((id) => !asked.includes(id))) setAsked(ids);
  const count = useRef<HTMLHeadingElement>(null);
  const { data, isError, error, hasNextPage, fetchNextPage, isFetchingNextPage, refetch } = useInfiniteQuery(
    favoriteCardsQuery(asked),
  );
  useFailureToast(isError, 'Failed to load influencers');
  if (isError && !data) return <LoadFailure inside title="Failed to load influencers" error={error} retry={refetch} />;

  const cards = new Map(data?.pages.flat().map((card) => [card.id, card]));
  const shown = asked.slice(0, (data?.pages.length ?? 1) * PAGE_SIZE).filter((id) => ids.includes(id));
  const removable: Favorites = {
    ...favorites,
    toggle: (id) => {
      favorites.toggle(id);
      // The pressed button disappears with its card, so move the focus.
      (ids.length > 1 ? count.current : document.getElementById('main'))?.focus();
    },
  };
  return (
    <>
      <h2
        ref={count}
        tabIndex={-1}
        className="mb-4 font-sans font-semibold text-[16px] leading-6 tracking-normal"
        aria-live="polite"
      >
        {ids.length} saved {ids.length === 1 ? 'profile' : 'profiles'}
      </h2>
      <div className={cardGrid({ columns: 'four' })} aria-busy={!data}>
        {shown.map((id) => {
          const card = cards.get(id);
          if (!data) return <InfluencerCardSkeleton key={id} />;
          if (!card) return <UnavailableCard key={id} onRemove={() => removable.toggle(id)} />;
          return (
            <InfluencerCard
              key={id}
              influencer={card}
              action={<SaveButton id={id} name={card.name} favorites={removable} />}
            />
          );
        })}
      </div>
      {hasNextPage ? (
        <div className="mt-9 grid place-items-center">
          <Button variant="outline" size="large" disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {isFetchingNextPage ? 'Loading...' : 'Load More'}
          </Button>
        </div>
      ) : null}
    </>
  );
}

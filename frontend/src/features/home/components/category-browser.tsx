import { useQuery } from '@tanstack/react-query';
import { ArrowRight } from 'lucide-react';
import { type ReactNode, useDeferredValue } from 'react';
import { Link } from 'react-router';
import { CategoryTabs } from '@/components/category-tabs';
import { EmptyState } from '@/components/empty-state';
import { type CardInfluencer, InfluencerCard, InfluencerCardSkeleton } from '@/components/influencer-card';
import { Button, buttonVariants } from '@/components/ui/button';
import { cardGrid } from '@/components/ui/card-grid';
import { useFailureToast } from '@/hooks/use-failure-toast';
import { paths } from '@/lib/paths';
import { cardsOf, HOME_SIZE } from '../grid';
import { categoryQuery, type Featured } from '../queries';
import { useCategory } from '../use-category';

/** The action at the end of a card. The page passes it in, because features must not import each other. */
type Action = (influencer: CardInfluencer) => ReactNode;

interface Props {
  action: Action;
  /** Undefined while they load. The grid waits for them, because it shows other creators first. */
  featured: Featured[] | undefined;
}

/** The category bar filters the grid below it, and the search link carries the category over. */
export function CategoryBrowser(props: Props) {
  const { category, choose } = useCategory();
  return (
    <section className="wrap mt-18 max-sm:mt-14 lg:mt-24" aria-labelledby="browse">
      <div className="mb-5 flex items-end justify-between gap-4 max-sm:mb-4">
        <h2 className="text-[28px] max-sm:text-[25px] lg:text-[34px]" id="browse">
          Browse by category
        </h2>
        <Link
          className={buttonVariants({ variant: 'ghost', size: 'small', className: 'max-sm:hidden' })}
          to={paths.searchCategory(category)}
        >
          See all influencers
          <ArrowRight aria-hidden="true" />
        </Link>
      </div>
      <CategoryTabs value={category} onChange={choose}>
        <CategoryGrid category={category} {...props} />
      </CategoryTabs>
      <Link
        className={buttonVariants({ variant: 'outline', full: true, className: 'mt-5 sm:hidden' })}
        to={paths.searchCategory(category)}
      >
        See all influencers
      </Link>
    </section>
  );
}

const SKELETONS = Array.from({ length: HOME_SIZE }, (_, index) => `skeleton ${index}`);

function CategoryGrid({ category, action, featured }: Props & { category: string }) {
  const { data, isError, isPlaceholderData, refetch } = useDeferredValue(useQuery(categoryQuery(category)));
  useFailureToast(isError, 'Failed to load influencers');
  if (isError) {
    return (
      <EmptyState title="Failed to load influencers" text="The list could not be loaded. Check your connection.">
        <Button variant="outline" onClick={() => void refetch()}>
          Try again
        </Button>
      </EmptyState>
    );
  }
  if (data?.length === 0) {
    return (
      <EmptyState
        title="No influencers found matching your criteria."
        text="Nobody in this category yet. Try another one."
      />
    );
  }
  const cards = data && featured && cardsOf(data, featured);
  return (
    <div
      className={cardGrid({ columns: 'four', waiting: isPlaceholderData, className: 'mt-6' })}
      aria-busy={!cards || isPlaceholderData}
    >
      {cards
        ? cards.map((influencer) => (
            <InfluencerCard key={influencer.id} influencer={influencer} action={action(influencer)} />
          ))
        : SKELETONS.map((key) => <InfluencerCardSkeleton key={key} />)}
    </div>
  );
}

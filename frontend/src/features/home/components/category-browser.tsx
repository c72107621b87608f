import { useQuery } from '@tanstack/react-query';
import { ArrowRight, Coffee, Cpu, Gamepad2, LayoutGrid, type LucideIcon, Plane, Shirt, Sparkles } from 'lucide-react';
import { Tabs } from 'radix-ui';
import { useState } from 'react';
import { Link } from 'react-router';
import { EmptyState } from '@/components/empty-state';
import { InfluencerCard, InfluencerCardSkeleton } from '@/components/influencer-card';
import { paths } from '@/lib/paths';
import { CATEGORIES, type Category, categoryQuery } from '../queries';

const ICONS: Record<Category, LucideIcon> = {
  All: LayoutGrid,
  Fashion: Shirt,
  Tech: Cpu,
  Gaming: Gamepad2,
  Lifestyle: Coffee,
  Beauty: Sparkles,
  Travel: Plane,
};

/** The category bar filters the grid below it, and carries over to the search. */
export function CategoryBrowser() {
  const [category, setCategory] = useState<Category>('All');
  return (
    <section className="wrap sec" aria-labelledby="browse">
      <div className="sech">
        <h2 className="h2" id="browse">
          Browse by category
        </h2>
        <Link className="btn ghost s m-hide" to={paths.searchCategory(category)}>
          See all influencers
          <ArrowRight className="i" aria-hidden="true" />
        </Link>
      </div>
      <Tabs.Root value={category} onValueChange={(value) => setCategory(value as Category)}>
        <Tabs.List className="pilltabs" aria-label="Category">
          {CATEGORIES.map((name) => {
            const Icon = ICONS[name];
            return (
              <Tabs.Trigger key={name} value={name} className={name === category ? 'on' : ''}>
                <Icon className="i" aria-hidden="true" />
                {name}
              </Tabs.Trigger>
            );
          })}
        </Tabs.List>
        <Tabs.Content value={category} style={{ marginTop: 24 }}>
          <CategoryGrid category={category} />
        </Tabs.Content>
      </Tabs.Root>
    </section>
  );
}

function CategoryGrid({ category }: { category: Category }) {
  const { data, isPending, isError, refetch } = useQuery(categoryQuery(category));
  if (isError) {
    return (
      <EmptyState title="Failed to load influencers" text="The list did not arrive. Your connection may be down.">
        <button type="button" className="btn outline" onClick={() => void refetch()}>
          Try again
        </button>
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
  return (
    <div className="grid c4">
      {isPending
        ? ['a', 'b', 'c', 'd'].map((key) => <InfluencerCardSkeleton key={key} />)
        : data.map((influencer) => <InfluencerCard key={influencer.id} influencer={influencer} />)}
    </div>
  );
}

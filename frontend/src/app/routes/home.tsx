import { useQuery } from '@tanstack/react-query';
import { useSession } from '@/app/session';
import { closedSentence } from '@/components/closed-sentence';
import { SaveButton } from '@/features/favourites/components/save-button';
import { useFavourites } from '@/features/favourites/use-favourites';
import { CategoryBrowser } from '@/features/home/components/category-browser';
import { EventsRow } from '@/features/home/components/events-row';
import { FeaturedCarousel, FeaturedSkeleton } from '@/features/home/components/featured-carousel';
import { Hero } from '@/features/home/components/hero';
import { PortalsPanel } from '@/features/home/components/portals-panel';
import { featuredQuery } from '@/features/home/queries';
import { useFailureToast } from '@/hooks/use-failure-toast';
import { usePageTitle } from '@/hooks/use-page-title';

export function HomePage() {
  usePageTitle('Influencers, agencies and vendors in Malaysia');
  const { closedPages } = useSession();
  const featured = useQuery(featuredQuery);
  const favourites = useFavourites();
  useFailureToast(featured.isError, 'Failed to load influencers');
  return (
    <main>
      <Hero />
      {featured.isPending ? <FeaturedSkeleton /> : null}
      {featured.data && featured.data.length > 0 ? <FeaturedCarousel creators={featured.data} /> : null}
      <CategoryBrowser action={({ id, name }) => <SaveButton id={id} name={name} favourites={favourites} />} />
      <EventsRow closed={closedPages.includes('events') ? closedSentence('events') : undefined} />
      <PortalsPanel />
    </main>
  );
}

import { useQuery } from '@tanstack/react-query';
import { CategoryBrowser } from '@/features/home/components/category-browser';
import { EventsRow } from '@/features/home/components/events-row';
import { FeaturedCarousel } from '@/features/home/components/featured-carousel';
import { Hero } from '@/features/home/components/hero';
import { PortalsPanel } from '@/features/home/components/portals-panel';
import { featuredQuery } from '@/features/home/queries';
import { usePageTitle } from '@/hooks/use-page-title';

export function HomePage() {
  usePageTitle('Home');
  const featured = useQuery(featuredQuery);
  return (
    <main>
      <Hero />
      {featured.isPending ? (
        <div className="wrap sec" aria-hidden="true">
          <div className="sk" style={{ height: 508 }} />
        </div>
      ) : null}
      {featured.data && featured.data.length > 0 ? <FeaturedCarousel creators={featured.data} /> : null}
      <CategoryBrowser />
      <EventsRow />
      <PortalsPanel />
    </main>
  );
}

import { useQuery } from '@tanstack/react-query';
import { usePageState, useSession } from '@/app/session';
import { useSaveAction } from '@/features/favorites/use-save-action';
import { CategoryBrowser } from '@/features/home/components/category-browser';
import { EventsRow } from '@/features/home/components/events-row';
import { FeaturedCarousel, FeaturedSkeleton } from '@/features/home/components/featured-carousel';
import { Hero } from '@/features/home/components/hero';
import { PortalsPanel } from '@/features/home/components/portals-panel';
import { featuredQuery } from '@/features/home/queries';
import { useFailureToast } from '@/hooks/use-failure-toast';

export function HomePage() {
  const events = usePageState('events');
  const { refresh } = useSession();
  const featured = useQuery(featuredQuery);
  const saveAction = useSaveAction();
  useFailureToast(featured.isError, 'Failed to load influencers');
  return (
    <main>
      <Hero />
      {featured.isPending ? <FeaturedSkeleton /> : null}
      {featured.data && featured.data.length > 0 ? <FeaturedCarousel creators={featured.data} /> : null}
      <CategoryBrowser action={saveAction} featured={featured.isPending ? undefined : (featured.data ?? [])} />
      <EventsRow state={events} retry={() => void refresh()} />
      <PortalsPanel />
    </main>
  );
}

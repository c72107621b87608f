import { Bookmark } from 'lucide-react';
import { Link } from 'react-router';
import { EmptyState } from '@/components/empty-state';
import { buttonVariants } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { paths } from '@/lib/paths';

/** The page for a feature that Serasi doesn't have: says so, and links to the closest alternative. */
export function MissingFeaturePage({ title, text }: { title: string; text: string }) {
  return (
    <main className="wrap pt-10">
      <Card>
        <EmptyState level="h1" title={title} text={text}>
          <Link className={buttonVariants()} to={paths.favorites}>
            <Bookmark aria-hidden="true" />
            Go to Favorites
          </Link>
          <Link className={buttonVariants({ variant: 'outline' })} to={paths.searchInfluencers}>
            Find Influencers
          </Link>
        </EmptyState>
      </Card>
    </main>
  );
}

import { Bookmark } from 'lucide-react';
import { Link } from 'react-router';
import { EmptyState } from '@/components/empty-state';
import { paths } from '@/lib/paths';

/** The page for a feature that Serasi doesn't have: says so, and links to the closest alternative. */
export function MissingFeaturePage({ title, text }: { title: string; text: string }) {
  return (
    <main className="wrap" style={{ paddingTop: 40 }}>
      <div className="card">
        <EmptyState level="h1" title={title} text={text}>
          <Link className="btn primary" to={paths.favorites}>
            <Bookmark className="i" aria-hidden="true" />
            Go to Favorites
          </Link>
          <Link className="btn outline" to={paths.searchInfluencers}>
            Find Influencers
          </Link>
        </EmptyState>
      </div>
    </main>
  );
}

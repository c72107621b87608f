import { Link } from 'react-router';
import { EmptyState } from '@/components/empty-state';
import { usePageTitle } from '@/hooks/use-page-title';
import { paths } from '@/lib/paths';

/** A page of the plan that is not built yet says so, and offers what is. */
export default function OnItsWayPage({ title }: { title: string }) {
  usePageTitle(title);
  return (
    <main className="wrap" style={{ paddingTop: 40 }}>
      <EmptyState
        level="h1"
        title={title}
        text="This page is on its way. Until then, browse the creators who are already here."
      >
        <Link className="btn primary" to={paths.search}>
          Browse influencers
        </Link>
        <Link className="btn outline" to={paths.home}>
          Return to Home
        </Link>
      </EmptyState>
    </main>
  );
}

import { House } from 'lucide-react';
import { useEffect } from 'react';
import { Link, useLocation } from 'react-router';
import { NotFoundDrawing } from '@/components/drawings';
import { usePageTitle } from '@/hooks/use-page-title';
import { paths } from '@/lib/paths';

export default function NotFoundPage() {
  const { pathname } = useLocation();
  usePageTitle('Page not found');
  useEffect(() => {
    // The specification requires the path to be logged.
    console.error('404: no page at', pathname);
  }, [pathname]);
  return (
    <main className="wrap nf lost">
      <NotFoundDrawing />
      <h1 className="nf-title">Oops! Page not found</h1>
      <p className="muted notice-text">
        These two halves don't line up. The address may be mistyped, or the page has moved.
      </p>
      <Link className="btn primary lg notice-actions" to={paths.home}>
        <House className="i" aria-hidden="true" />
        Return to Home
      </Link>
    </main>
  );
}

import { useEffect } from 'react';
import { Link, useLocation } from 'react-router';
import { usePageTitle } from '@/hooks/use-page-title';
import { paths } from '@/lib/paths';

export default function NotFoundPage() {
  const { pathname } = useLocation();
  usePageTitle('Page not found');
  useEffect(() => {
    // The specification wants the path logged.
    console.error('404: no page at', pathname);
  }, [pathname]);
  return (
    <main className="wrap nf">
      <svg viewBox="0 0 420 180" className="four-o-four" aria-hidden="true">
        <text x="0" y="160">
          4
        </text>
        <path d="M202 0A80 80 0 0 0 202 160Z" fill="var(--primary)" />
        <path d="M218 20A80 80 0 0 1 218 180Z" fill="var(--coral)" />
        <text x="318" y="160">
          4
        </text>
      </svg>
      <h1 style={{ fontSize: 'clamp(34px, 5vw, 48px)', marginTop: 28 }}>Oops! Page not found</h1>
      <p className="muted" style={{ marginTop: 10, fontSize: 17 }}>
        These two halves don't fit. The address may have changed.
      </p>
      <Link className="btn primary lg" style={{ marginTop: 24 }} to={paths.home}>
        Return to Home
      </Link>
    </main>
  );
}

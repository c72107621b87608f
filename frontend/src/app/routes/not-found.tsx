import { House } from 'lucide-react';
import { useEffect } from 'react';
import { Link, useLocation } from 'react-router';
import { NotFoundDrawing } from '@/components/drawings';
import { buttonVariants } from '@/components/ui/button';
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
    <main className="wrap grid justify-items-center pt-[clamp(48px,8vw,96px)] pb-6 text-center">
      <NotFoundDrawing />
      <h1 className="mt-11 text-[clamp(32px,5vw,48px)]">Oops! Page not found</h1>
      <p className="mt-2.5 max-w-[40ch] text-[18px] text-muted-foreground">
        These two halves don't line up. The address may be mistyped, or the page has moved.
      </p>
      <Link className={buttonVariants({ size: 'large', className: 'mt-6.5' })} to={paths.home}>
        <House aria-hidden="true" />
        Return to Home
      </Link>
    </main>
  );
}

import { lazy, Suspense, useCallback, useEffect, useRef, useState } from 'react';
import { Outlet, useLocation } from 'react-router';
import { Loader } from '@/components/empty-state';
import { Footer } from '@/components/layout/footer';
import { Header } from '@/components/layout/header';
import { OfflineBar } from '@/components/layout/offline-bar';
import { useShortcuts } from '@/components/layout/use-shortcuts';
import { FavoritesLink } from '@/features/favorites/components/favorites-link';
import { useMoveFavorites } from '@/features/favorites/use-move-favorites';
import { NewsletterForm } from '@/features/newsletter/newsletter-form';
import { Bell } from '@/features/notifications/components/bell';
import { useScrollMemory } from '@/hooks/use-scroll-memory';
import { ErrorBoundary } from '../error-page';
import { usePagesAhead } from '../pages-ahead';

const ShortcutSheet = lazy(() => import('@/components/layout/shortcut-sheet'));

export function PublicLayout() {
  useScrollToPlace();
  useMoveFavorites();
  usePagesAhead();
  const [help, setHelp] = useState(false);
  const showHelp = useCallback(() => setHelp(true), []);
  useShortcuts(showHelp);
  return (
    <>
      <a
        className="absolute -top-15 left-4 z-100 rounded-md bg-foreground px-4.5 py-3 text-background focus-visible:top-3"
        href="#main"
      >
        Skip to content
      </a>
      <OfflineBar />
      <Header favorites={<FavoritesLink />} bell={<Bell />} />
      <div id="main" tabIndex={-1} className="peer min-h-[calc(100dvh-72px)] outline-none">
        <ErrorBoundary at={useLocation().key}>
          <Suspense fallback={<PageToCome />}>
            <Outlet />
          </Suspense>
        </ErrorBoundary>
      </div>
      <Footer newsletter={<NewsletterForm />} onShortcuts={showHelp} />
      {help ? (
        <Suspense>
          <ShortcutSheet onClose={() => setHelp(false)} />
        </Suspense>
      ) : null}
    </>
  );
}

/** Keeps the height of the previous page, so that the footer doesn't move. */
function PageToCome() {
  const [height] = useState(() =>
    typeof document === 'undefined' ? undefined : document.getElementById('main')?.offsetHeight,
  );
  return (
    <div style={{ minHeight: height }}>
      <Loader label="Loading..." />
    </div>
  );
}

/** Scrolls a new page to its top, a link with a hash to its anchor, and a revisited page to its previous position. */
function useScrollToPlace() {
  const { pathname, search, hash, key } = useLocation();
  // Clicking the same anchor again scrolls to it again.
  const again = hash ? key : '';
  const cameBack = useScrollMemory();
  const before = useRef<{ pathname: string; search: string }>(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the path identifies a page
  useEffect(() => {
    // A filter change removes the hash from the URL but stays on the same page.
    const filtered = before.current?.pathname === pathname && before.current.search !== search;
    before.current = { pathname, search };
    if (cameBack()) return;
    if (!hash) {
      if (!filtered) window.scrollTo(0, 0);
      return;
    }
    // The page may still be loading: retry for one second.
    let tries = 0;
    const timer = setInterval(() => {
      const place = document.getElementById(hash.slice(1));
      place?.scrollIntoView();
      // Moves keyboard focus, so that the next Tab continues from here.
      place?.focus({ preventScroll: true });
      tries += 1;
      if (place || tries > 20) clearInterval(timer);
    }, 50);
    return () => clearInterval(timer);
  }, [pathname, hash, again]);
}

import { Suspense, useEffect, useRef, useState } from 'react';
import { Outlet, useLocation } from 'react-router';
import { Loader } from '@/components/empty-state';
import { Footer } from '@/components/layout/footer';
import { Header } from '@/components/layout/header';
import { OfflineBar } from '@/components/layout/offline-bar';
import { useMoveFavourites } from '@/features/favourites/use-move-favourites';
import { NewsletterForm } from '@/features/newsletter/newsletter-form';
import { useScrollMemory } from '@/hooks/use-scroll-memory';
import { usePagesAhead } from '../pages-ahead';

export function PublicLayout() {
  useScrollToPlace();
  useMoveFavourites();
  usePagesAhead();
  return (
    <>
      <a className="skip" href="#main">
        Skip to content
      </a>
      <OfflineBar />
      <Header />
      <div id="main" tabIndex={-1}>
        <Suspense fallback={<PageToCome />}>
          <Outlet />
        </Suspense>
      </div>
      <Footer newsletter={<NewsletterForm />} />
    </>
  );
}

/** As high as the page in whose place it stands: the footer stays where it is. */
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

/** A new page begins at its top, an anchor at its place, and one that is come back to where it was left. */
function useScrollToPlace() {
  const { pathname, search, hash, key } = useLocation();
  // The same anchor, pressed once more, leads there once more.
  const again = hash ? key : '';
  const cameBack = useScrollMemory();
  const before = useRef<{ pathname: string; search: string }>(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the path is what changes the page
  useEffect(() => {
    // A filter that is chosen after an anchor takes the anchor out of the address, and nobody to another page.
    const filtered = before.current?.pathname === pathname && before.current.search !== search;
    before.current = { pathname, search };
    if (cameBack()) return;
    if (!hash) {
      if (!filtered) window.scrollTo(0, 0);
      return;
    }
    // The page may still be loading: look again for a second.
    let tries = 0;
    const timer = setInterval(() => {
      const place = document.getElementById(hash.slice(1));
      place?.scrollIntoView();
      // For the keyboard: the next Tab goes on from here.
      place?.focus({ preventScroll: true });
      tries += 1;
      if (place || tries > 20) clearInterval(timer);
    }, 50);
    return () => clearInterval(timer);
  }, [pathname, hash, again]);
}

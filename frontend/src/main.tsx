import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode, startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { Toaster } from '@/components/ui/toaster';
import { ErrorBoundary } from './app/error-page';
import { AppRouter, loadPage } from './app/router';
import { SessionProvider } from './app/session';
import { queryClient } from './lib/query-client';
import './styles/app.css';

/** The server names the page's files in the head. */
function filesOfPage() {
  const links = document.querySelectorAll<HTMLLinkElement>('link[rel="modulepreload"]');
  return Promise.allSettled(
    Array.from(links)
      .filter(({ media }) => window.matchMedia(media).matches)
      .map(({ href }) => import(/* @vite-ignore */ href)),
  );
}

/** The outcome of a mailed link may stand behind any address; it has a page of its own. */
async function arrival() {
  if (!/[#&?](access_token|error_code|error_description|message)=/.test(window.location.href)) return;
  const { leadOn } = await import('./features/auth/arrival');
  leadOn();
}

function show(root: HTMLElement) {
  createRoot(root).render(
    <StrictMode>
      <ErrorBoundary>
        <QueryClientProvider client={queryClient}>
          <SessionProvider>
            <AppRouter />
            <Toaster />
          </SessionProvider>
        </QueryClientProvider>
      </ErrorBoundary>
    </StrictMode>,
  );
}

const root = document.getElementById('root');
// With all of it here, the first thing drawn is the page and not a loader.
const here = () => Promise.all([filesOfPage(), arrival(), loadPage(window.location.pathname)]);
// Bit by bit: a slow phone can answer a touch in between. What the server sent along stays until all is there.
if (root) void here().then(() => startTransition(() => show(root)));

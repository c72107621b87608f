import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode, startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { ErrorBoundary } from './app/error-page';
import { AppRouter, loadPage } from './app/router';
import { SessionProvider } from './app/session';
import { Toasts } from './app/toasts';
import { watchKeyboard } from './lib/keyboard';
import { queryClient } from './lib/query-client';
import './styles/app.css';

/** Loads the page's files, which the server lists in the head. */
function filesOfPage() {
  const links = document.querySelectorAll<HTMLLinkElement>('link[rel="modulepreload"]');
  return Promise.allSettled(
    Array.from(links)
      .filter(({ media }) => window.matchMedia(media).matches)
      .map(({ href }) => import(/* @vite-ignore */ href)),
  );
}

/** The result of an e-mail link may be appended to any URL, and has its own page. */
async function followEmailLink() {
  if (!/[#&?](access_token|error_code|error_description|message)=/.test(window.location.href)) return;
  const { redirectArrival } = await import('./features/auth/arrival');
  redirectArrival();
}

function show(root: HTMLElement) {
  createRoot(root).render(
    <StrictMode>
      <ErrorBoundary>
        <QueryClientProvider client={queryClient}>
          <SessionProvider>
            <AppRouter />
            <Toasts />
          </SessionProvider>
        </QueryClientProvider>
      </ErrorBoundary>
    </StrictMode>,
  );
}

/** For the offline page only. After everything else, so that it doesn't slow the first page. */
function registerServiceWorker() {
  if (import.meta.env.DEV || !('serviceWorker' in navigator)) return;
  const register = () => void navigator.serviceWorker.register('/service-worker.js').catch(() => {});
  if (document.readyState === 'complete') register();
  else window.addEventListener('load', register, { once: true });
}

watchKeyboard();
registerServiceWorker();
const root = document.getElementById('root');
// Waits for everything, so that the first render shows the page instead of a loader.
const ready = () => Promise.all([filesOfPage(), followEmailLink(), loadPage(window.location.pathname)]);
// As a transition, so that a slow phone can respond to touches while rendering. The prerendered page stays visible
// until then.
if (root) void ready().then(() => startTransition(() => show(root)));

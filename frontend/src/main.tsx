import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode, startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { Toaster } from '@/components/ui/toaster';
import { ErrorBoundary } from './app/error-page';
import { AppRouter } from './app/router';
import { SessionProvider } from './app/session';
import { queryClient } from './lib/query-client';
import './styles/app.css';

function show() {
  const root = document.getElementById('root');
  if (!root) return;
  // Bit by bit: a slow phone can answer a touch in between.
  startTransition(() => {
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
  });
}

// The outcome of a mailed link may stand behind any address; it has a page of its own.
if (/[#&?](access_token|error_code|error_description|message)=/.test(window.location.href)) {
  void import('./features/auth/arrival').then(({ leadOn }) => {
    leadOn();
    show();
  });
} else show();

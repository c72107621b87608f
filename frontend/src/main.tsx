import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode, startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { Toaster } from '@/components/ui/toaster';
import { ErrorBoundary } from './app/error-page';
import { AppRouter } from './app/router';
import { SessionProvider } from './app/session';
import { queryClient } from './lib/query-client';
import './styles/app.css';

const root = document.getElementById('root');
if (root) {
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

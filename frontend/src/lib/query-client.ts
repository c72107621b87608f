import { QueryClient } from '@tanstack/react-query';

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { staleTime: 30_000, retry: 1, refetchOnWindowFocus: false },
    // Fails immediately when offline. The default waits, and saves when the user no longer expects it.
    mutations: { networkMode: 'always' },
  },
});

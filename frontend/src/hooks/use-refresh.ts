import { type InfiniteData, type QueryKey, useIsFetching, useQueryClient } from '@tanstack/react-query';

/** Refetches a list from its first page and drops the pages loaded after it. */
export function useRefresh(queryKey: QueryKey): { refresh: () => void; busy: boolean } {
  const client = useQueryClient();
  const busy = useIsFetching({ queryKey, exact: true }) > 0;
  const refresh = () => {
    client.setQueryData<InfiniteData<unknown>>(
      queryKey,
      (now) => now && { pages: now.pages.slice(0, 1), pageParams: now.pageParams.slice(0, 1) },
    );
    void client.refetchQueries({ queryKey, exact: true });
  };
  return { refresh, busy };
}

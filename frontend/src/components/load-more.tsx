import { Button } from '@/components/ui/button';
import { useFailureToast } from '@/hooks/use-failure-toast';

/** The part of an infinite query that the button needs. */
interface List {
  data: unknown;
  isError: boolean;
  isFetching: boolean;
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  fetchNextPage: () => unknown;
}

/** Loads a list's next page. `failed`: what to say when that, or a refetch, fails. */
export function LoadMore({ list, failed }: { list: List; failed: string }) {
  useFailureToast(Boolean(list.data) && list.isError && !list.isFetching, failed);
  if (!list.hasNextPage) return null;
  return (
    <div className="mt-8 grid place-items-center">
      <Button
        variant="outline"
        size="large"
        // Not disabled, because a disabled button loses the focus.
        aria-busy={list.isFetchingNextPage}
        onClick={() => !list.isFetchingNextPage && list.fetchNextPage()}
      >
        {list.isFetchingNextPage ? 'Loading...' : 'Load More'}
      </Button>
    </div>
  );
}

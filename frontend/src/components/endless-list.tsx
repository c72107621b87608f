import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import { cva, type VariantProps } from 'class-variance-authority';
import { Fragment, memo, type ReactNode, useDeferredValue, useEffect, useMemo, useRef } from 'react';
import { Button } from '@/components/ui/button';
import { cardGrid } from '@/components/ui/card-grid';
import { useFailureToast } from '@/hooks/use-failure-toast';
import { type Cursor, PAGE_SIZE, type Page, totalOf } from '@/lib/pages';
import { EmptyState } from './empty-state';
import { LoadFailure } from './load-failure';

export interface Noun {
  one: string;
  many: string;
}

/** 'Found 1 influencer', 'Found 2 influencers' */
export const foundText = (total: number, { one, many }: Noun) => `Found ${total} ${total === 1 ? one : many}`;

/** React keys for skeletons, one for each row of a page. */
const SKELETON_KEYS = [...'abcdefghijklmnopqrstuvwx'];
const FIRST_SKELETONS = 12;

interface ListProps<Row extends Cursor> {
  result: UseInfiniteQueryResult<InfiniteData<Page<Row>>>;
  noun: Noun;
  columns: VariantProps<typeof cardGrid>['columns'];
  /** Must be a stable function: otherwise hundreds of cards re-render on every keystroke. */
  card: (row: Row, index: number) => ReactNode;
  skeleton: ReactNode;
  /** The applied filters, shown beside the count. */
  applied?: ReactNode;
  /** The count is shown elsewhere: here it is for screen readers only. */
  quiet?: boolean;
  /** The list follows a toolbar, so its count is closer. */
  belowToolbar?: boolean;
  /** Replaces the default title, on a page without filters. */
  emptyTitle?: string;
  /** What to try when nothing matches. */
  emptyText: string;
  clearLabel?: string;
  onClear?: (() => void) | undefined;
  /** Shown below the empty state. */
  instead?: ReactNode;
}

/** The count and the applied filters. Where the count is for screen readers only, it takes no space without filters. */
const appliedRow = cva('flex flex-wrap items-center gap-2', {
  variants: {
    place: {
      own: 'mb-4.5 min-h-8.5',
      toolbar: 'mt-4.25 mb-2.75 min-h-8.5',
      quiet: 'has-[>:nth-child(2)]:mb-4.5',
    },
  },
});

/** A list that grows with Load More, with its count and its loading, empty and error states. */
export function EndlessList<Row extends Cursor>(props: ListProps<Row>) {
  const { noun } = props;
  // Deferred rendering keeps scrolling and typing responsive on slow phones while two dozen cards render.
  const result = useDeferredValue(props.result);
  const { data, isPlaceholderData, isFetchingNextPage } = result;
  // Without rows the error notice stays during a retry; with rows each failure to load more shows a toast.
  const failed = !data && (result.isError || (result.isPending && result.errorUpdateCount > 0));
  useFailureToast(failed || (result.isError && !result.isFetching), `Failed to load ${noun.many}`);
  const rows = useMemo(() => data?.pages.flatMap((page) => page.rows) ?? [], [data]);
  const total = totalOf(data?.pages ?? []);
  const { grid, loadMore } = useLoadMore(result, rows.length);
  const section = useKeptFocus(failed || (data !== undefined && rows.length === 0));
  const skeletons = result.isPending
    ? FIRST_SKELETONS
    : isFetchingNextPage
      ? Math.min(PAGE_SIZE, total - rows.length)
      : 0;

  const list = () => (
    <>
      <div className={appliedRow({ place: props.quiet ? 'quiet' : props.belowToolbar ? 'toolbar' : 'own' })}>
        <p className={props.quiet ? 'sr-only' : 'mr-2 font-semibold'} role="status">
          {result.isPending ? `Loading ${noun.many}...` : foundText(total, noun)}
        </p>
        {props.applied}
      </div>
      <p className="sr-only" role="status">
        {rows.length > PAGE_SIZE ? `${rows.length} of ${total} ${noun.many} shown` : ''}
      </p>
      {rows.length > 0 ? <h2 className="sr-only">Results</h2> : null}
      {data && rows.length === 0 ? (
        <>
          <EmptyState
            title={props.emptyTitle ?? `No ${noun.many} found matching your criteria.`}
            text={props.emptyText}
          >
            {props.onClear ? (
              <Button variant="outline" onClick={props.onClear}>
                {props.clearLabel}
              </Button>
            ) : null}
          </EmptyState>
          {props.instead}
        </>
      ) : (
        <div
          ref={grid}
          className={cardGrid({ columns: props.columns, waiting: isPlaceholderData })}
          aria-busy={result.isPending || isPlaceholderData || isFetchingNextPage}
        >
          <Cards rows={rows} card={props.card as CardOf} />
          {SKELETON_KEYS.slice(0, skeletons).map((place) => (
            <Fragment key={place}>{props.skeleton}</Fragment>
          ))}
        </div>
      )}
      {result.hasNextPage && !isPlaceholderData ? (
        <div className="mt-9 grid place-items-center">
          <Button variant="outline" size="large" aria-busy={isFetchingNextPage} onClick={loadMore}>
            {isFetchingNextPage ? 'Loading...' : 'Load More'}
          </Button>
        </div>
      ) : null}
    </>
  );
  return (
    <section
      ref={section}
      tabIndex={-1}
      className="focus-visible:rounded-sm focus-visible:outline-offset-8"
      aria-label={titled(noun.many)}
    >
      {failed ? (
        <LoadFailure inside title={`Failed to load ${noun.many}`} error={result.error} retry={result.refetch} />
      ) : (
        list()
      )}
    </section>
  );
}

const titled = (word: string) => word.slice(0, 1).toUpperCase() + word.slice(1);

/** When the notice's button disappears after it succeeded, moves the focus to the list. */
function useKeptFocus(noticed: boolean) {
  const section = useRef<HTMLElement>(null);
  const before = useRef(noticed);
  useEffect(() => {
    if (before.current && !noticed && document.activeElement === document.body) {
      section.current?.focus({ preventScroll: true });
    }
    before.current = noticed;
  }, [noticed]);
  return section;
}

type CardOf = (row: Cursor, index: number) => ReactNode;

const Cards = memo(function Cards({ rows, card }: { rows: Cursor[]; card: CardOf }) {
  return rows.map((row, index) => <Fragment key={row.id}>{card(row, index)}</Fragment>);
});

/** New cards push the Load More button away, so moves the focus to the first new card. */
function useLoadMore<Row extends Cursor>(result: ListProps<Row>['result'], shown: number) {
  const grid = useRef<HTMLDivElement>(null);
  const asked = useRef<{ shown: number; byKeyboard: boolean }>(undefined);
  useEffect(() => {
    const before = asked.current;
    if (!before || shown <= before.shown) return;
    asked.current = undefined;
    const card = grid.current?.querySelectorAll('article')[before.shown];
    const place = card?.querySelector<HTMLElement>('h3 a') ?? card;
    place?.focus({ preventScroll: true });
    if (before.byKeyboard) card?.scrollIntoView({ block: 'nearest' });
  }, [shown]);
  const loadMore = ({ currentTarget }: { currentTarget: Element }) => {
    if (result.isFetchingNextPage) return;
    asked.current = { shown, byKeyboard: currentTarget.matches(':focus-visible') };
    void result.fetchNextPage();
  };
  return { grid, loadMore };
}

import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { ArrowLeft, Ban, Keyboard } from 'lucide-react';
import { useRef, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { EmptyState } from '@/components/empty-state';
import { LoadFailure } from '@/components/load-failure';
import { LoadMore } from '@/components/load-more';
import { stateLabel } from '@/components/state-badge';
import { Button, buttonVariants } from '@/components/ui/button';
import { Count } from '@/components/ui/count';
import { IconButton } from '@/components/ui/icon-button';
import { KIND_LABELS, REPORT_KINDS } from '@/features/reports/kinds';
import { useAddressFilters } from '@/hooks/use-address-filters';
import { paths } from '@/lib/paths';
import { LIVE } from '../live';
import { reportCountsQuery, reportsQuery } from '../report-queries';
import { isWaiting, NO_REPORT_FILTERS, REPORT_ADDRESS, type ReportFilters, STATES } from '../reports';
import { useRowFocus } from '../use-row-focus';
import { useShortcutSetting, useShortcuts } from '../use-shortcuts';
import { BlockedSenders } from './blocked-senders';
import { TableSkeleton } from './list-states';
import { Choice } from './list-toolbar';
import { ReportTable } from './report-table';
import { type Shortcut, ShortcutHelp } from './shortcut-help';

const KEYS: readonly Shortcut[] = [
  ['j', 'Next report'],
  ['k', 'Previous report'],
  ['Enter', 'Open the report'],
  ['t', 'Take the open report'],
  ['u', 'Back to the list'],
  ['?', 'Show this help'],
];

/** The queue of reports, by state and kind. */
export function ReportsPage() {
  const { filters, asked, change, set } = useAddressFilters(REPORT_ADDRESS);
  const reports = useInfiniteQuery({ ...reportsQuery(asked), ...LIVE, staleTime: 0 });
  const counts = useQuery({ ...reportCountsQuery, ...LIVE }).data;
  const rows = reports.data?.pages.flat() ?? [];
  const place = useRef<HTMLDivElement>(null);
  const focus = useRowFocus(place, rows.length);
  const shortcuts = useShortcutSetting();
  const [helping, setHelping] = useState(false);
  const [listing, setListing] = useState(false);
  const navigate = useNavigate();
  useShortcuts(shortcuts.on, {
    j: () => focus.move(1),
    k: () => focus.move(-1),
    o: () => {
      const id = focus.current();
      if (id) navigate(paths.reportDesk(id));
    },
    '?': () => setHelping(true),
  });
  return (
    <>
      <Link className={buttonVariants({ variant: 'ghost', size: 'small', className: 'mt-5 -ml-3' })} to={paths.admin}>
        <ArrowLeft aria-hidden="true" />
        Admin dashboard
      </Link>
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-4 pt-2 pb-5">
        <div>
          <h1 className="text-[34px] leading-[1.08]">Reports</h1>
          <p className="mt-2 max-w-[70ch] text-[16px] text-muted-foreground">
            Reports from people, and texts with words that are typical of advance-fee fraud. Take a report to decide it.
          </p>
        </div>
        <Button variant="outline" onClick={() => setListing(true)}>
          <Ban aria-hidden="true" />
          Blocked senders
        </Button>
      </div>
      <div className="mb-4 flex flex-wrap items-center gap-2.5">
        <StateChoice filters={filters} counts={counts ?? undefined} change={change} />
        <span className="flex-1" />
        <div className="w-45 max-sm:w-full max-sm:flex-1">
          <Choice
            label="Kind"
            value={filters.kind}
            options={[
              { value: '', label: 'All kinds' },
              ...REPORT_KINDS.map((kind) => ({ value: kind, label: KIND_LABELS[kind] })),
            ]}
            onChange={(kind) => change({ kind: kind as ReportFilters['kind'] })}
          />
        </div>
        <IconButton aria-label="Keyboard shortcuts" onClick={() => setHelping(true)}>
          <Keyboard aria-hidden="true" />
        </IconButton>
      </div>
      <p className="sr-only" role="status">
        {reports.isPending ? 'Loading reports...' : `${rows.length} ${rows.length === 1 ? 'report' : 'reports'} shown`}
      </p>
      {reports.isPending ? (
        <TableSkeleton label="Loading reports..." />
      ) : reports.data === undefined ? (
        <LoadFailure inside title="Error loading data" error={reports.error} retry={() => void reports.refetch()} />
      ) : rows.length === 0 ? (
        <NoReports filters={asked} onReset={() => set({ ...NO_REPORT_FILTERS, state: asked.state })} />
      ) : (
        <div ref={place}>
          <ReportTable rows={rows} busy={reports.isPlaceholderData} now={reports.dataUpdatedAt} />
          <LoadMore list={reports} failed="Failed to load reports" />
        </div>
      )}
      {listing ? <BlockedSenders onClose={() => setListing(false)} /> : null}
      {helping ? (
        <ShortcutHelp keys={KEYS} on={shortcuts.on} onSwitch={shortcuts.set} onClose={() => setHelping(false)} />
      ) : null}
    </>
  );
}

function StateChoice(props: {
  filters: ReportFilters;
  counts: { open: number; taken: number } | undefined;
  change: (part: Partial<ReportFilters>) => void;
}) {
  const { filters, counts, change } = props;
  return (
    <fieldset className="flex flex-wrap gap-2">
      <legend className="sr-only">State</legend>
      {STATES.map((state) => (
        <Button
          key={state}
          variant="choice"
          size="pill"
          aria-pressed={filters.state === state}
          onClick={() => change({ state })}
        >
          {stateLabel('report', state)}
          {counts && (state === 'open' || state === 'taken') ? (
            <Count>{counts[state].toLocaleString('en')}</Count>
          ) : null}
        </Button>
      ))}
    </fieldset>
  );
}

function NoReports({ filters, onReset }: { filters: ReportFilters; onReset: () => void }) {
  if (filters.kind) {
    return (
      <EmptyState title="No matching reports" text="There are no reports of this kind in this state.">
        <Button variant="outline" onClick={onReset}>
          Show all kinds
        </Button>
      </EmptyState>
    );
  }
  return isWaiting(filters.state) ? (
    <EmptyState title="No reports are waiting" text="New reports appear here." />
  ) : (
    <EmptyState title="No reports yet" text="Decided reports appear here." />
  );
}

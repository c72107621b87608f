import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { EmptyState } from '@/components/empty-state';
import { LoadFailure } from '@/components/load-failure';
import { SearchBox } from '@/components/search-box';
import { Button } from '@/components/ui/button';
import { DateInput } from '@/components/ui/date-input';
import { Table, TableCard, TableHead, TableRow } from '@/components/ui/table';
import { useAddressFilters } from '@/hooks/use-address-filters';
import { messageOf } from '@/lib/errors';
import { toast } from '@/lib/toast';
import { ACTIONS, AUDIT_ADDRESS, type AuditFilters, NO_AUDIT_FILTERS } from '../audit';
import { actorsQuery, auditQuery, type LinkedEntry } from '../audit-queries';
import { AuditRow } from './audit-row';
import { BackToPanel } from './back-to-panel';
import { TableSkeleton } from './list-states';
import { Choice } from './list-toolbar';

const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });

/** Who changed what, newest first. */
export function AuditLog() {
  const { filters, asked, change, set, settle } = useAddressFilters(AUDIT_ADDRESS);
  const { data, isPending, isError, error, refetch, isPlaceholderData, ...more } = useInfiniteQuery({
    ...auditQuery(asked),
    staleTime: 0,
  });
  useEffect(() => {
    if (isError) toast.error('Error loading data', { description: messageOf(error), id: 'audit' });
  }, [isError, error]);
  const entries = data?.pages.flat() ?? [];
  const filtered = Object.values(asked).some(Boolean);
  return (
    <>
      <BackToPanel />
      <div className="pt-2 pb-5">
        <h1 className="text-[34px] leading-[1.08]">Audit log</h1>
        <p className="mt-2 text-[16px] text-muted-foreground">Who changed what. Entries can't be edited or removed.</p>
      </div>
      <Filters filters={filters} change={change} settle={settle} />
      <p className="sr-only" role="status">
        {isPending ? 'Loading entries...' : `${entries.length} ${entries.length === 1 ? 'entry' : 'entries'} shown`}
      </p>
      {isPending ? (
        <TableSkeleton label="Loading entries..." />
      ) : data === undefined ? (
        <LoadFailure inside title="Error loading data" error={error} retry={() => void refetch()} />
      ) : entries.length === 0 ? (
        <EmptyState
          title={filtered ? 'No matching entries' : 'No entries yet'}
          text={filtered ? 'Choose a longer period, or remove a filter.' : "Admins' changes appear here."}
        >
          {filtered ? (
            <Button variant="outline" onClick={() => set(NO_AUDIT_FILTERS)}>
              Reset
            </Button>
          ) : null}
        </EmptyState>
      ) : (
        <>
          <Entries entries={entries} busy={isPlaceholderData} />
          {more.hasNextPage ? (
            <div className="mt-7 grid justify-items-center">
              <Button
                variant="outline"
                size="large"
                busy={more.isFetchingNextPage}
                onClick={() => void more.fetchNextPage()}
              >
                Load More
              </Button>
            </div>
          ) : null}
        </>
      )}
    </>
  );
}

function Filters(props: { filters: AuditFilters; change: (part: Partial<AuditFilters>) => void; settle: () => void }) {
  const { filters, change } = props;
  const actors = useQuery(actorsQuery).data ?? [];
  const kinds = Object.entries(ACTIONS).map(([value, { label }]) => ({ value, label }));
  const people = actors.map(({ id, email }) => ({ value: id, label: email }));
  const known = filters.actor === '' || people.some(({ value }) => value === filters.actor);
  return (
    <search className="mb-4 grid gap-2.5 *:min-w-0 sm:grid-cols-2 lg:grid-cols-[minmax(0,1fr)_160px_200px_200px_190px]">
      <SearchBox
        label="Search the log"
        placeholder="Name or e-mail"
        value={filters.q}
        onChange={(q) => change({ q })}
        onEnter={props.settle}
      />
      <Choice
        label="Action"
        value={filters.action}
        options={[{ value: '', label: 'All actions' }, ...kinds]}
        onChange={(action) => change({ action })}
      />
      <Choice
        label="Person"
        value={filters.actor}
        options={[
          { value: '', label: 'Everyone' },
          ...people,
          ...(known ? [] : [{ value: filters.actor, label: 'A former admin' }]),
        ]}
        onChange={(actor) => change({ actor })}
      />
      <DateInput label="From" value={filters.from} max={filters.to} onChange={(from) => change({ from })} />
      <DateInput label="To" value={filters.to} min={filters.from} onChange={(to) => change({ to })} />
    </search>
  );
}

/** Groups the entries by day. */
function Entries({ entries, busy }: { entries: LinkedEntry[]; busy: boolean }) {
  const days: { day: string; entries: LinkedEntry[] }[] = [];
  for (const entry of entries) {
    const day = DAY.format(new Date(entry.created_at));
    const last = days.at(-1);
    if (last?.day === day) last.entries.push(entry);
    else days.push({ day, entries: [entry] });
  }
  const today = DAY.format(new Date());
  return (
    <TableCard aria-busy={busy}>
      <Table>
        <caption className="sr-only">Audit log</caption>
        <thead>
          <TableRow>
            <TableHead>Time</TableHead>
            <TableHead>Action</TableHead>
            <TableHead>What</TableHead>
            <TableHead>Record</TableHead>
            <TableHead>Who</TableHead>
          </TableRow>
        </thead>
        {days.map(({ day, entries: ofDay }) => (
          <tbody key={day}>
            <TableRow layout="heading">
              <TableHead of="group" colSpan={5}>
                {day === today ? `Today, ${day}` : day}
              </TableHead>
            </TableRow>
            {ofDay.map((entry) => (
              <AuditRow key={entry.id} entry={entry} />
            ))}
          </tbody>
        ))}
      </Table>
    </TableCard>
  );
}

import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { ArrowLeft } from 'lucide-react';
import { useEffect, useId } from 'react';
import { Link } from 'react-router';
import { toast } from 'sonner';
import { EmptyState } from '@/components/empty-state';
import { LoadFailure } from '@/components/load-failure';
import { SearchBox } from '@/components/search-box';
import { Button } from '@/components/ui/button';
import { useAddressFilters } from '@/hooks/use-address-filters';
import { messageOf } from '@/lib/errors';
import { paths } from '@/lib/paths';
import { ACTIONS, AUDIT_ADDRESS, type AuditFilters, NO_AUDIT_FILTERS } from '../audit';
import { actorsQuery, auditQuery, type LinkedEntry } from '../audit-queries';
import { AuditRow } from './audit-row';
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
      <Link className="btn ghost s way-back" to={paths.superadmin}>
        <ArrowLeft className="i" aria-hidden="true" />
        Super admin panel
      </Link>
      <div className="ph audit-head">
        <h1>Audit log</h1>
        <p>Who changed what. Entries can't be edited or removed.</p>
      </div>
      <Filters filters={filters} change={change} settle={settle} />
      <p className="sr" role="status">
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
            <div className="more">
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
    <search className="audit-tools">
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
      <DayInput label="From" value={filters.from} max={filters.to} onChange={(from) => change({ from })} />
      <DayInput label="To" value={filters.to} min={filters.from} onChange={(to) => change({ to })} />
    </search>
  );
}

function DayInput(props: {
  label: string;
  value: string;
  min?: string;
  max?: string;
  onChange: (day: string) => void;
}) {
  const id = useId();
  return (
    <div className="inp day-input">
      <label htmlFor={id} className="sm muted">
        {props.label}
      </label>
      <input
        id={id}
        type="date"
        value={props.value}
        min={props.min || undefined}
        max={props.max || undefined}
        onChange={(event) => props.onChange(event.target.value)}
      />
    </div>
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
    <div className="card admin-table" aria-busy={busy}>
      <table className="tbl log">
        <caption className="sr">Audit log</caption>
        <thead>
          <tr>
            <th scope="col">Time</th>
            <th scope="col">Action</th>
            <th scope="col">What</th>
            <th scope="col">Record</th>
            <th scope="col">Who</th>
          </tr>
        </thead>
        {days.map(({ day, entries: ofDay }) => (
          <tbody key={day}>
            <tr className="day">
              <th scope="rowgroup" colSpan={5}>
                {day === today ? `Today, ${day}` : day}
              </th>
            </tr>
            {ofDay.map((entry) => (
              <AuditRow key={entry.id} entry={entry} />
            ))}
          </tbody>
        ))}
      </table>
    </div>
  );
}

import { useQuery } from '@tanstack/react-query';
import { Check } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { LoadFailure } from '@/components/load-failure';
import { Button } from '@/components/ui/button';
import { Table, TableCard, TableHead, TableRow } from '@/components/ui/table';
import { useAddressFilters } from '@/hooks/use-address-filters';
import { messageOf } from '@/lib/errors';
import { toast } from '@/lib/toast';
import { isFiltered, KIND_OF, LIST_ADDRESS, type List, NO_FILTERS } from '../lists';
import { LIVE } from '../live';
import { type AccountRow, accountsQuery } from '../queries';
import { useActedOn, useModeration } from '../use-moderation';
import { useRowFocus } from '../use-row-focus';
import { useShortcutSetting, useShortcuts } from '../use-shortcuts';
import { AccountRowView } from './account-row';
import { ApproveDialog } from './approve-dialog';
import { DeleteDialog } from './delete-dialog';
import { ListEmpty, TableSkeleton } from './list-states';
import { ListToolbar } from './list-toolbar';
import { lastPage, Pager, rangeText } from './pager';
import { type Shortcut, ShortcutHelp } from './shortcut-help';

const KEYS: readonly Shortcut[] = [
  ['j', 'Next account'],
  ['k', 'Previous account'],
  ['Enter', 'Open the account'],
  ['d', 'Delete the account (asks first)'],
  ['n', 'Next page'],
  ['p', 'Previous page'],
  ['/', 'Search'],
  ['?', 'Show this help'],
];

const PENDING_KEYS: readonly Shortcut[] = [
  ['a', 'Approve the account, or all selected accounts'],
  ['x', 'Select the account'],
];

const CAPTIONS: Record<List, string> = {
  pending: 'Pre-Approved Accounts',
  influencers: 'Influencers',
  agencies: 'Agencies',
  vendors: 'Vendors',
};

/** One list of accounts, with the actions that an admin can take on each. */
export function AccountList({ list }: { list: List }) {
  const kind = KIND_OF[list];
  const waiting = list === 'pending';
  const { filters, asked, change, set, settle } = useAddressFilters(LIST_ADDRESS);
  const { data, isPending, isPlaceholderData, isError, error, refetch } = useQuery({
    ...accountsQuery(list, asked),
    ...LIVE,
  });
  const actedOn = useActedOn(list);
  const moderation = useModeration(list);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [deleting, setDeleting] = useState<AccountRow>();
  const [approving, setApproving] = useState(false);
  const [helping, setHelping] = useState(false);
  const shortcuts = useShortcutSetting();
  const place = useRef<HTMLElement>(null);

  const rows = data?.rows.filter((row) => !actedOn.has(row.id)) ?? [];
  const total = Math.max((data?.total ?? 0) - ((data?.rows.length ?? 0) - rows.length), rows.length);
  const selected = rows.filter((row) => chosen.has(row.id));
  const focus = useRowFocus(place, rows.length);

  useEffect(() => {
    if (isError) toast.error('Error loading data', { description: messageOf(error), id: `list ${list}` });
  }, [isError, error, list]);
  // If the last row of the last page is gone, go back to the new last page.
  const overshot = !isPlaceholderData && data !== undefined && data.rows.length === 0 && asked.page > 1;
  const end = lastPage(data?.total ?? 0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once when the page turns out to be past the end
  useEffect(() => {
    if (overshot && asked.page !== end) change({ page: end });
  }, [overshot, end]);

  function turnTo(page: number) {
    change({ page });
    setChosen(new Set());
    place.current?.scrollIntoView({ block: 'start' });
  }
  function select(ids: string[], on: boolean) {
    setChosen((now) => {
      const next = new Set(now);
      for (const id of ids) on ? next.add(id) : next.delete(id);
      return next;
    });
  }
  function approve(accounts: AccountRow[]) {
    focus.keep(accounts[0]?.id);
    moderation.approve(accounts);
    select(
      accounts.map((row) => row.id),
      false,
    );
  }
  const focused = () => rows.find((row) => row.id === focus.current());
  const approveFocused = () => {
    const row = focused();
    if (selected.length > 1) setApproving(true);
    else if (selected.length === 1) approve(selected);
    else if (row) approve([row]);
  };
  useShortcuts(shortcuts.on, {
    j: () => focus.move(1),
    k: () => focus.move(-1),
    d: () => setDeleting(focused()),
    n: () => asked.page < lastPage(total) && turnTo(asked.page + 1),
    p: () => asked.page > 1 && turnTo(asked.page - 1),
    '/': () => place.current?.querySelector<HTMLInputElement>('input[type=search]')?.focus(),
    '?': () => setHelping(true),
    ...(waiting
      ? {
          a: approveFocused,
          x: () => {
            const row = focused();
            if (row) select([row.id], !chosen.has(row.id));
          },
        }
      : {}),
  });

  return (
    <section ref={place} className="grid scroll-mt-3 gap-3.5 *:min-w-0" aria-label={CAPTIONS[list]}>
      <ListToolbar
        kind={kind}
        filters={filters}
        change={change}
        set={set}
        settle={settle}
        onHelp={() => setHelping(true)}
      />
      {isPending ? (
        <TableSkeleton label={`Loading ${kind === 'influencer' ? 'influencers' : list}...`} />
      ) : data === undefined ? (
        <LoadFailure inside title="Error loading data" error={error} retry={() => void refetch()} />
      ) : rows.length === 0 ? (
        <ListEmpty list={list} filtered={isFiltered(asked)} onReset={() => set(NO_FILTERS)} />
      ) : (
        <>
          <div className="flex min-h-10 flex-wrap items-center justify-between gap-x-4 gap-y-2">
            {waiting ? (
              <label className="flex min-h-10 cursor-pointer items-center gap-2.5 font-semibold text-[15px]">
                <input
                  type="checkbox"
                  className="relative z-1 size-5 flex-none accent-primary"
                  checked={selected.length === rows.length}
                  onChange={(event) =>
                    select(
                      rows.map((row) => row.id),
                      event.target.checked,
                    )
                  }
                />
                Select all on this page
              </label>
            ) : null}
            <p role="status" className="text-muted-foreground text-sm tabular-nums">
              {selected.length > 0 ? `${selected.length} selected` : rangeText(asked.page, rows.length, total)}
            </p>
            {selected.length > 0 ? (
              <Button size="small" onClick={() => (selected.length > 1 ? setApproving(true) : approve(selected))}>
                <Check aria-hidden="true" />
                Approve {selected.length} selected
              </Button>
            ) : null}
          </div>
          <TableCard aria-busy={isPlaceholderData}>
            <Table>
              <caption className="sr-only">{CAPTIONS[list]}</caption>
              <thead>
                <TableRow>
                  <TableHead>
                    {kind === 'influencer' ? 'Influencer' : kind === 'agency' ? 'Agency' : 'Vendor'}
                  </TableHead>
                  <TableHead>E-mail</TableHead>
                  <TableHead>{kind === 'influencer' ? 'Category' : 'Type'}</TableHead>
                  <TableHead>Badge</TableHead>
                  <TableHead align="right">Actions</TableHead>
                </TableRow>
              </thead>
              <tbody>
                {rows.map((row) => (
                  <AccountRowView
                    key={row.id}
                    kind={kind}
                    row={row}
                    refusal={moderation.refused.get(row.id)}
                    onDelete={() => setDeleting(row)}
                    waiting={
                      waiting
                        ? {
                            selected: chosen.has(row.id),
                            onSelect: (on) => select([row.id], on),
                            onApprove: () => approve([row]),
                          }
                        : undefined
                    }
                  />
                ))}
              </tbody>
            </Table>
          </TableCard>
          <Pager page={asked.page} total={total} onPage={turnTo} />
        </>
      )}
      {deleting ? (
        <DeleteDialog
          kind={kind}
          name={deleting.name}
          onClose={() => setDeleting(undefined)}
          onDelete={() => {
            focus.keep(deleting.id);
            moderation.remove(deleting);
          }}
        />
      ) : null}
      {approving ? (
        <ApproveDialog
          count={selected.length}
          onClose={() => setApproving(false)}
          onApprove={() => approve(selected)}
        />
      ) : null}
      {helping ? (
        <ShortcutHelp
          keys={waiting ? [...PENDING_KEYS, ...KEYS] : KEYS}
          on={shortcuts.on}
          onSwitch={shortcuts.set}
          onClose={() => setHelping(false)}
        />
      ) : null}
    </section>
  );
}

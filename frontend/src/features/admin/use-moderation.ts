import { type QueryClient, useMutation, useMutationState, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useSession } from '@/app/session';
import { reasonOf } from '@/lib/errors';
import { toast } from '@/lib/toast';
import { KIND_OF, type List } from './lists';
import { approve, Conflict, removeProfile } from './mutations';
import { type AccountRow, COUNTS_KEY, type Counts, listKey, type RowPage } from './queries';

export const DELETED = {
  influencer: 'Influencer profile deleted',
  agency: 'Agency profile deleted',
  vendor: 'Vendor profile deleted',
} as const;

type Named = Pick<AccountRow, 'id' | 'name'>;

/** An approval or a deletion: both remove rows from their list. */
interface Act {
  list: List;
  rows: Named[];
}

const ACTS = ['admin', 'act'] as const;

/** The rows being approved or deleted, which are hidden from the list as soon as the button is pressed. */
export function useActedOn(list: List): Set<string> {
  const acts = useMutationState({
    filters: { mutationKey: ACTS, status: 'pending' },
    select: (mutation) => mutation.state.variables as Act,
  });
  return new Set(acts.filter((act) => act.list === list).flatMap((act) => act.rows.map((row) => row.id)));
}

function takeOut(client: QueryClient, list: List, ids: string[]) {
  client.setQueriesData<RowPage<AccountRow>>({ queryKey: listKey(list) }, (page) => {
    if (!page) return page;
    const rows = page.rows.filter((row) => !ids.includes(row.id));
    return { rows, total: page.total - (page.rows.length - rows.length) };
  });
}

function count(client: QueryClient, part: Partial<Record<keyof Counts, number>>) {
  client.setQueryData<Counts | null>(COUNTS_KEY, (now) => {
    if (!now) return now;
    const next = { ...now };
    for (const [name, by] of Object.entries(part)) next[name as keyof Counts] += by;
    return next;
  });
}

/** Refetches the lists afterwards, so that the page fills up again. */
function settle(client: QueryClient) {
  return Promise.all(
    ['list', 'counts', 'audit'].map((part) => client.invalidateQueries({ queryKey: ['admin', part] })),
  );
}

/**
 * Approves and deletes optimistically, and rolls back on failure. `refused` holds the reason for each row until the
 * next attempt.
 */
export function useModeration(list: List) {
  const client = useQueryClient();
  const { refresh } = useSession();
  const [refused, setRefused] = useState<ReadonlyMap<string, string>>(new Map());
  const note = (ids: string[], reasons: ReadonlyMap<string, string>) =>
    setRefused((now) => new Map([...[...now].filter(([id]) => !ids.includes(id)), ...reasons]));
  const idsOf = ({ rows }: Act) => rows.map((row) => row.id);

  function failed(error: unknown, act: Act) {
    const message = reasonOf(error);
    if (!(error instanceof Conflict)) note(idsOf(act), new Map(act.rows.map((row) => [row.id, message])));
    toast.error('Error', { description: message });
    // The account may no longer be an admin.
    void refresh();
  }
  const shared = {
    mutationKey: ACTS,
    onError: failed,
    onSettled: () => settle(client),
  };

  const approval = useMutation({
    ...shared,
    mutationFn: (act: Act) => approve(idsOf(act)),
    onMutate: (act) => note(idsOf(act), new Map()),
    onSuccess: ({ approved, refused: others }, act) => {
      takeOut(client, list, [...approved, ...others.keys()]);
      count(client, { pending: -approved.length, influencers: approved.length });
      toastApproved(act.rows.filter((row) => approved.includes(row.id)));
      toastConflicts(act.rows, others);
    },
  });
  const removal = useMutation({
    ...shared,
    mutationFn: ({ rows }: Act) => removeProfile(KIND_OF[list], rows[0]?.id ?? ''),
    onMutate: (act) => note(idsOf(act), new Map()),
    onSuccess: (_, act) => {
      takeOut(client, list, idsOf(act));
      count(client, { [list]: -1 });
      toast.success(DELETED[KIND_OF[list]]);
    },
  });
  return {
    refused,
    approve: (rows: Named[]) => approval.mutate({ list, rows }),
    remove: (row: Named) => removal.mutate({ list, rows: [row] }),
  };
}

function toastApproved(rows: Named[]) {
  const [first] = rows;
  if (!first) return;
  if (rows.length === 1) {
    toast.success('Influencer account approved', { description: `${first.name} now appears in search.` });
    return;
  }
  toast.success(`${rows.length} influencer accounts approved`, { description: 'They now appear in search.' });
}

/** Another admin approved or deleted them first. Names a single account; for several, says only how many. */
function toastConflicts(rows: Named[], others: ReadonlyMap<string, string>) {
  const [first] = others;
  if (!first) return;
  const [id, reason] = first;
  const description =
    others.size === 1
      ? `${rows.find((row) => row.id === id)?.name}: ${reason}`
      : `${others.size} of these accounts were already approved or deleted by someone else.`;
  toast.error('Error', { description });
}

import { QueryClient, QueryClientProvider, useInfiniteQuery } from '@tanstack/react-query';
import { act, render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { Cursor, Page } from '@/lib/pages';
import { EndlessList } from './endless-list';

const AGENCIES = { one: 'agency', many: 'agencies' };

/** A fake server that responds when the test tells it to. */
function slowServer() {
  const waiting = new Map<string, { answer: (total: number) => Promise<void>; signal: AbortSignal }>();
  const ask = (text: string, signal: AbortSignal) =>
    new Promise<Page<Cursor>>((resolve) => {
      const answer = (total: number) =>
        act(async () => {
          const rows = Array.from({ length: total }, (_, index) => ({ id: `${text}-${index}`, created_at: '' }));
          resolve({ rows, total });
        });
      waiting.set(text, { answer, signal });
    });
  return { ask, waiting };
}

function List({ text, ask }: { text: string; ask: ReturnType<typeof slowServer>['ask'] }) {
  const result = useInfiniteQuery({
    queryKey: ['test', text],
    queryFn: ({ signal }) => ask(text, signal),
    initialPageParam: null,
    getNextPageParam: () => undefined,
  });
  return (
    <EndlessList
      result={result}
      noun={AGENCIES}
      columns="four"
      card={(row) => <article>{row.id}</article>}
      skeleton={<i />}
      emptyText="Try another word."
    />
  );
}

it("shows only the newest search's results, even when an older response arrives later", async () => {
  const { ask, waiting } = slowServer();
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const at = (text: string) => (
    <QueryClientProvider client={client}>
      <List text={text} ask={ask} />
    </QueryClientProvider>
  );
  const { rerender } = render(at('slow'));
  expect(screen.getByText('Loading agencies...')).toBeInTheDocument();
  rerender(at('fast'));
  expect(waiting.get('slow')?.signal.aborted).toBe(true);
  await waiting.get('fast')?.answer(1);
  expect(await screen.findByText('Found 1 agency')).toBeInTheDocument();
  await waiting.get('slow')?.answer(2);
  expect(screen.getByText('fast-0')).toBeInTheDocument();
  expect(screen.queryByText('slow-0')).toBeNull();

  rerender(at('none'));
  await waiting.get('none')?.answer(0);
  expect(await screen.findByText('Found 0 agencies')).toBeInTheDocument();
  expect(screen.getByRole('heading', { name: 'No agencies found matching your criteria.' })).toBeInTheDocument();
});

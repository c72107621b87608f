import { ChevronLeft, ChevronRight } from 'lucide-react';
import { Button } from '@/components/ui/button';
import { PAGE_SIZE } from '../queries';

const figure = (count: number) => count.toLocaleString('en');

/** For example '51–100 of 2,000'. */
export function rangeText(page: number, shown: number, total: number): string {
  if (shown === 0) return `0 of ${figure(total)}`;
  const from = (page - 1) * PAGE_SIZE;
  return `${figure(from + 1)}–${figure(from + shown)} of ${figure(total)}`;
}

export const lastPage = (total: number): number => Math.max(1, Math.ceil(total / PAGE_SIZE));

export function Pager({ page, total, onPage }: { page: number; total: number; onPage: (page: number) => void }) {
  const last = lastPage(total);
  if (last === 1 && page === 1) return null;
  return (
    <nav className="flex flex-wrap items-center justify-center gap-4" aria-label="Pages">
      <Button variant="outline" size="small" disabled={page <= 1} onClick={() => onPage(page - 1)}>
        <ChevronLeft aria-hidden="true" />
        Previous
      </Button>
      <span className="text-muted-foreground text-sm tabular-nums">
        Page {figure(page)} of {figure(last)}
      </span>
      <Button variant="outline" size="small" disabled={page >= last} onClick={() => onPage(page + 1)}>
        Next
        <ChevronRight aria-hidden="true" />
      </Button>
    </nav>
  );
}

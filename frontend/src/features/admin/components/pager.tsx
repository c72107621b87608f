import { ChevronLeft, ChevronRight } from 'lucide-react';
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
    <nav className="row pager" aria-label="Pages">
      <button type="button" className="btn outline s" disabled={page <= 1} onClick={() => onPage(page - 1)}>
        <ChevronLeft className="i" aria-hidden="true" />
        Previous
      </button>
      <span className="sm muted num">
        Page {figure(page)} of {figure(last)}
      </span>
      <button type="button" className="btn outline s" disabled={page >= last} onClick={() => onPage(page + 1)}>
        Next
        <ChevronRight className="i" aria-hidden="true" />
      </button>
    </nav>
  );
}

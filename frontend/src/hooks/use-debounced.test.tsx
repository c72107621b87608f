import { act, render, screen } from '@testing-library/react';
import { Suspense, use } from 'react';
import { expect, it, vi } from 'vitest';
import { useDebounced } from './use-debounced';

const neverLoaded = new Promise<never>(() => {});
const NextPage = () => use(neverLoaded);

function SearchField({ onSettled }: { onSettled: (text: string) => void }) {
  const { hold } = useDebounced(onSettled);
  return (
    <button type="button" onClick={() => hold('wedding', 300)}>
      Type
    </button>
  );
}

it('passes nothing on while the next page is loading', () => {
  vi.useFakeTimers();
  const onSettled = vi.fn();
  const pages = (isLeaving: boolean) => (
    <Suspense fallback="Loading...">
      <SearchField onSettled={onSettled} />
      {isLeaving && <NextPage />}
    </Suspense>
  );
  const { rerender } = render(pages(false));
  act(() => screen.getByText('Type').click());
  rerender(pages(true));
  expect(screen.getByText('Loading...')).toBeInTheDocument();
  act(() => vi.advanceTimersByTime(1000));
  expect(onSettled).not.toHaveBeenCalled();
  vi.useRealTimers();
});

import { act, render, screen } from '@testing-library/react';
import { Suspense, useState } from 'react';
import { expect, it, vi } from 'vitest';
import { lazyPage } from './lazy-page';

function Pricing({ name }: { name: string }) {
  const [begun] = useState(() => crypto.randomUUID());
  return <p data-testid="page">{`${name} ${begun}`}</p>;
}

const shown = (Page: ReturnType<typeof lazyPage<{ name: string }>>, name: string) => (
  <Suspense fallback="Loading...">
    <Page name={name} />
  </Suspense>
);

it('renders a preloaded page immediately', async () => {
  const Page = lazyPage(async () => ({ default: Pricing }));
  await Page.load();
  render(shown(Page, 'Packages'));
  expect(screen.getByTestId('page')).toHaveTextContent(/^Packages /);
});

it('suspends while the page loads, and keeps its state afterwards', async () => {
  const load = vi.fn(async () => ({ default: Pricing }));
  const Page = lazyPage(load);
  const { rerender } = render(shown(Page, 'Packages'));
  expect(screen.getByText('Loading...')).toBeInTheDocument();
  const before = (await screen.findByTestId('page')).textContent;
  await act(() => Page.load());
  rerender(shown(Page, 'Prices'));
  expect(screen.getByTestId('page')).toHaveTextContent(before?.replace('Packages', 'Prices') ?? '');
});

import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { expect, it, vi } from 'vitest';
import { CategoryBrowser } from './category-browser';

vi.mock('../queries', () => ({
  categoryQuery: (category: string) => ({ queryKey: [category], queryFn: () => Promise.resolve([]) }),
}));

function open(url: string) {
  render(
    <MemoryRouter initialEntries={[url]}>
      <QueryClientProvider client={new QueryClient()}>
        <CategoryBrowser action={() => null} />
      </QueryClientProvider>
    </MemoryRouter>,
  );
}

const chosen = () => screen.getByRole('tab', { selected: true });
const links = () => screen.getAllByRole('link', { name: 'See all influencers' });

it('applies the category of the URL', () => {
  open('/?category=Beauty');
  expect(chosen()).toHaveTextContent('Beauty');
  for (const link of links()) expect(link).toHaveAttribute('href', '/search/influencers?category=Beauty');
});

it.each(['Nonsense', 'beauty', 'All', ''])('shows all for the category "%s"', (category) => {
  open(`/?category=${category}`);
  expect(chosen()).toHaveTextContent('All');
  for (const link of links()) expect(link).toHaveAttribute('href', '/search/influencers');
});

import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { serve } from '@/testing/backend';
import type { Featured } from '../queries';
import { CategoryBrowser } from './category-browser';

const creators = ['Aisyah', 'Sofea', 'Harjit'].map((name) => ({ id: name, name }));

beforeEach(() => void serve({ 'GET /rest/v1/influencers': () => creators }));
afterEach(() => vi.unstubAllGlobals());

const browser = (featured?: Featured[]) => <CategoryBrowser action={() => null} featured={featured} />;

function open(url: string, featured?: Featured[]) {
  const client = new QueryClient();
  const { rerender } = render(browser(featured), {
    wrapper: ({ children }) => (
      <MemoryRouter initialEntries={[url]}>
        <QueryClientProvider client={client}>{children}</QueryClientProvider>
      </MemoryRouter>
    ),
  });
  return (loaded: Featured[]) => rerender(browser(loaded));
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

const FEATURED: Featured = {
  id: 'Aisyah',
  name: 'Aisyah',
  username: 'aisyah',
  category: 'Travel',
  profile_image: null,
  instagram_followers: null,
  tiktok_followers: null,
};

it('waits for the featured creators and shows them last', async () => {
  const load = open('/');
  await screen.findByRole('tabpanel');
  expect(screen.queryAllByRole('article')).toEqual([]);
  load([FEATURED]);
  const names = (await screen.findAllByRole('heading', { level: 3 })).map((heading) => heading.textContent);
  expect(names).toEqual(['Sofea', 'Harjit', 'Aisyah']);
});

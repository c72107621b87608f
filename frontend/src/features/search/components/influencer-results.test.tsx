import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { serve } from '@/testing/backend';
import { openPart } from '@/testing/render';
import { type Filters, NO_FILTERS } from '../filters';
import { InfluencerResults } from './influencer-results';

const AISYAH = {
  id: 'c0000000-0000-4000-8000-000000000001',
  name: 'Aisyah Rahmat',
  username: 'aisyah.jalan',
  category: 'Travel',
};

function search(filters: Partial<Filters>, close: object[] = []) {
  const requests = serve({
    'GET /rest/v1/influencers': () => [],
    'GET /rest/v1/rpc/search_close_influencers': () => close,
  });
  openPart(
    <InfluencerResults
      asked={{ ...NO_FILTERS, ...filters }}
      screen="search"
      columns="four"
      chips={[]}
      onRemove={() => {}}
      onClear={() => {}}
      action={() => null}
    />,
  );
  return requests;
}

const empty = () => screen.findByText('No influencers found matching your criteria.');

it('offers close matches below a search that finds nothing, without counting them', async () => {
  const requests = search({ q: ' aisyha ', badge: 'Gold' }, [AISYAH]);
  expect(await screen.findByRole('heading', { name: 'Close matches' })).toBeVisible();
  expect(screen.getByRole('link', { name: 'Aisyah Rahmat' })).toBeVisible();
  expect(screen.getByText('Found 0 influencers')).toBeVisible();
  expect(screen.getByText(/Your filters are not applied/)).toBeVisible();
  expect(requests.find(({ path }) => path.includes('rpc'))?.query.get('query')).toBe('aisyha');
});

it('names what is set when nothing matches', async () => {
  const requests = search({ age: [20, 25], location: 'Ipoh' });
  await empty();
  expect(screen.getByText('Remove the age range or the location.')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Clear all filters' })).toBeVisible();
  expect(requests.some(({ path }) => path.includes('rpc'))).toBe(false);
});

it('names no filter and offers none to clear when none is set', async () => {
  search({});
  await empty();
  expect(screen.getByText('Check back soon.')).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Clear all filters' })).toBeNull();
});

// A gig's last day and number of places, and its applicants in the list.
import { render, screen, waitFor } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { afterEach, expect, it, vi } from 'vitest';
import { todayInMalaysia } from '@/lib/dates';
import { serve } from '@/testing/backend';
import { button, byRole, errors, fill, openPart, user } from '@/testing/render';
import { GigDialog } from './components/gig-dialog';
import { GigRow } from './components/gig-row';
import { draftOf, type GigDraft, newGig } from './use-gig-draft';

afterEach(() => vi.unstubAllGlobals());

const USER = 'a0000000-0000-4000-8000-000000000001';
const STORED = {
  id: 'c1',
  created_at: '2026-11-01T00:00:00Z',
  title: 'Hosts',
  description: 'Two',
  budget: null,
  duration: null,
  requirements: null,
  closes_on: '2026-01-01',
  places: 2,
};

async function open(draft: GigDraft) {
  const onSaved = vi.fn();
  const requests = serve({
    'GET /rest/v1/agencies': () => [{ id: 'b1' }],
    'POST /rest/v1/gigs': () => [],
    'PATCH /rest/v1/gigs': () => [{ id: 'c1' }],
  });
  openPart(<GigDialog userId={USER} draft={draft} onClose={vi.fn()} onSaved={onSaved} onAgencyGone={vi.fn()} />);
  await waitFor(() => expect(byRole('textbox', /^Title/)).toHaveFocus());
  return { onSaved, bodies: () => requests.filter(({ method }) => method !== 'GET').map(({ body }) => body) };
}

const day = () => screen.getByLabelText('Last day to apply');

it('stores the last day and the places of a new gig', async () => {
  const { onSaved, bodies } = await open(newGig());
  await fill(byRole('textbox', /^Title/), 'Hosts');
  await fill(byRole('textbox', /^Description/), 'Two of them');
  for (const places of ['0', '1001', '1.5', 'two']) {
    await fill(byRole('textbox', 'Places'), places);
    await user.click(button('Create Gig'));
    await waitFor(() => expect(errors(), places).toEqual(['Places must be a number from 1 to 1,000']));
  }
  await fill(byRole('textbox', 'Places'), '3');
  await user.type(day(), '2026-01-01');
  await user.click(button('Create Gig'));
  await waitFor(() => expect(errors()).toEqual(["The last day to apply can't be in the past"]));
  await user.clear(day());
  await user.type(day(), todayInMalaysia());
  await user.click(button('Create Gig'));
  await waitFor(() => expect(onSaved).toHaveBeenCalledOnce());
  expect(bodies()).toMatchObject([{ closes_on: todayInMalaysia(), places: 3 }]);
});

it('keeps a last day that is over, and removes both', async () => {
  const first = await open(draftOf(STORED));
  await fill(byRole('textbox', 'Places'), '5');
  await user.click(button('Save Gig'));
  await waitFor(() => expect(first.onSaved).toHaveBeenCalledOnce());
  expect(first.bodies()).toMatchObject([{ closes_on: '2026-01-01', places: 5 }]);

  const second = await open(draftOf(STORED));
  await user.clear(day());
  await fill(byRole('textbox', 'Places'), '');
  await user.click(button('Save Gig'));
  await waitFor(() => expect(second.onSaved).toHaveBeenCalledOnce());
  expect(second.bodies()).toMatchObject([{ closes_on: null, places: null }]);
});

it.each([
  [{ state: 'open', applicants: 1, waiting: 0 }, '1 applicant for Hosts', 'Closes 1 Jan 2026'],
  [{ state: 'closed', applicants: 1200, waiting: 3 }, '1,200 applicants, 3 new for Hosts', 'Closed 1 Jan 2026'],
  [{ state: 'full', applicants: 2, waiting: 0 }, '2 applicants for Hosts', 'Full: all 2 places are taken'],
] as const)('a row with %j', (status, link, deadline) => {
  render(<GigRow gig={{ ...STORED, gig_status: status }} onEdit={vi.fn()} onDelete={vi.fn()} />, {
    wrapper: MemoryRouter,
  });
  expect(screen.getByRole('link', { name: link })).toHaveAttribute('href', '/gigs/c1/applicants');
  expect(screen.getByText(deadline)).toBeInTheDocument();
});

it('today in Malaysia is a day ahead of UTC in the evening', () => {
  expect(todayInMalaysia(new Date('2026-11-12T15:59:59Z'))).toBe('2026-11-12');
  expect(todayInMalaysia(new Date('2026-11-12T16:00:00Z'))).toBe('2026-11-13');
});

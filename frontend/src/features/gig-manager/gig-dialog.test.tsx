// The dialog that creates or edits a gig, with its real schema and client.
import { waitFor } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { type Answers, refused, serve, unreachable } from '@/testing/backend';
import { button, byRole, errors, fill, openPart, toasts, user } from '@/testing/render';
import { GigDialog } from './components/gig-dialog';
import { draftOf, type GigDraft, newGig } from './use-gig-draft';

afterEach(() => vi.unstubAllGlobals());

const USER = 'a0000000-0000-4000-8000-000000000001';
const STORED = { id: 'c1', created_at: '', title: 'Hosts', description: 'Two', budget: 'RM 1', duration: null };
const field = (name: RegExp) => byRole('textbox', name);

function open(draft: GigDraft, agencies: object[] = [{ id: 'b1' }], gigs: object[] = [{ id: 'c1' }]) {
  const told = { onClose: vi.fn(), onSaved: vi.fn(), onAgencyGone: vi.fn() };
  const answers: Answers = {
    'GET /rest/v1/agencies': () => agencies,
    'POST /rest/v1/gigs': () => [],
    'PATCH /rest/v1/gigs': () => gigs,
  };
  const requests = serve(answers);
  openPart(<GigDialog userId={USER} draft={draft} {...told} />);
  return { ...told, answers, writes: () => requests.filter((sent) => sent.method !== 'GET') };
}

it('creates one gig when the first response is lost', async () => {
  const { answers, writes, onSaved } = open(newGig());
  await fill(field(/^Title/), 'Hosts');
  await fill(field(/^Description/), 'Two of them');
  answers['POST /rest/v1/gigs'] = unreachable;
  await user.click(button('Create Gig'));
  await waitFor(() => expect(toasts().join()).toContain('Failed to save gig'));
  expect(field(/^Title/)).toHaveValue('Hosts');
  // The lost request arrived.
  answers['POST /rest/v1/gigs'] = () =>
    refused(409, '23505', 'duplicate key value violates unique constraint "gigs_pkey"');
  await fill(field(/^Description/), 'Three of them');
  await user.click(button('Create Gig'));
  await waitFor(() => expect(onSaved).toHaveBeenCalledOnce());
  const [first, second, last] = writes();
  expect(second?.body).toHaveProperty('id', Object(first?.body).id);
  expect(last).toMatchObject({ method: 'PATCH', body: { description: 'Three of them' } });
  expect(toasts()).toContain('Gig created successfully!');
});

it('requires title and description, and shows one error at a time', async () => {
  const draft = newGig();
  const { writes, onSaved } = open(draft);
  await waitFor(() => expect(field(/^Title/)).toHaveFocus());
  await fill(field(/^Title/), '   ');
  await fill(field(/^Description/), 'Two hosts for three days.');
  await user.click(button('Create Gig'));
  await waitFor(() => expect(errors()).toEqual(['Title and description are required']));
  await waitFor(() => expect(field(/^Title/)).toHaveFocus());
  await fill(field(/^Title/), '  Hosts ');
  await fill(field(/^Description/), '  ');
  await user.click(button('Create Gig'));
  await waitFor(() => expect(field(/^Description/)).toHaveFocus());
  await waitFor(() => expect(errors()).toEqual(['Title and description are required']));
  await waitFor(() => expect(toasts()).toContain('Title and description are required'));
  await fill(field(/^Description/), 'Two hosts for three days.');
  await fill(field(/^Budget/), 'x'.repeat(101));
  await user.click(button('Create Gig'));
  await waitFor(() => expect(errors()).toEqual(['Budget can have at most 100 characters']));
  expect(writes()).toEqual([]);
  await fill(field(/^Budget/), '');
  await user.dblClick(button('Create Gig'));
  await waitFor(() => expect(onSaved).toHaveBeenCalledOnce());
  expect(writes().map((sent) => sent.body)).toEqual([
    {
      id: draft.gigId,
      agency_id: 'b1',
      title: 'Hosts',
      description: 'Two hosts for three days.',
      budget: null,
      duration: null,
      requirements: null,
    },
  ]);
  await waitFor(() => expect(toasts()).toContain('Gig created successfully!'));
});

it('edits the stored gig', async () => {
  const { writes, onSaved } = open(draftOf({ ...STORED, requirements: 'Malay' }));
  expect(field(/^Requirements/)).toHaveValue('Malay');
  await fill(field(/^Budget/), '');
  await user.click(button('Save Gig'));
  await waitFor(() => expect(onSaved).toHaveBeenCalledOnce());
  expect(writes()).toMatchObject([{ method: 'PATCH', body: { title: 'Hosts', budget: null } }]);
  await waitFor(() => expect(toasts()).toContain('Gig updated successfully!'));
});

it('asks before discarding typed text', async () => {
  const { onClose } = open(newGig());
  await fill(field(/^Title/), 'Half typed');
  await user.keyboard('{Escape}');
  await user.click(button('Keep editing'));
  expect(field(/^Title/)).toHaveValue('Half typed');
  expect(onClose).not.toHaveBeenCalled();
  await user.keyboard('{Escape}');
  await user.click(button('Close without saving'));
  expect(onClose).toHaveBeenCalledOnce();
});

it('reports that the gig or the agency profile was deleted in the meantime', async () => {
  const gone = open(draftOf({ ...STORED, requirements: null }), [{ id: 'b1' }], []);
  await user.click(button('Save Gig'));
  await waitFor(() => expect(toasts().join()).toContain('Failed to save gig'));
  expect(gone.onSaved).not.toHaveBeenCalled();
  const { onAgencyGone } = open(newGig(), []);
  await fill(field(/^Title/), 'Without an agency');
  await fill(field(/^Description/), 'x');
  await user.click(button('Create Gig'));
  await waitFor(() => expect(onAgencyGone).toHaveBeenCalledOnce());
  await waitFor(() => expect(toasts()).toContain('Agency profile not found'));
});

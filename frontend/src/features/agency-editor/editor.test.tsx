// The agency's form with its real schema and client: every validation rule, then saving.
import { act, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { pendingFile } from '@/features/pictures/pending';
import { refused, serve, singleRow } from '@/testing/backend';
import { button, byRole, errors, fill, openPart, toasts, user } from '@/testing/render';
import { Editor } from './components/editor';
import { useAgencyPictures } from './pictures';
import type { AgencyRow } from './record';

afterEach(() => vi.unstubAllGlobals());

const USER = 'a0000000-0000-4000-8000-000000000001';
const SAVED = 'Agency profile saved successfully!';
const field = (name: string) => byRole('textbox', name);
const openTab = (name: string) => user.click(byRole('tab', name));
const save = () => user.click(button('Save Profile'));

function open(row: Partial<AgencyRow> | null = null) {
  const agencies = singleRow('agencies', row ?? undefined);
  const requests = serve(agencies.answers);
  openPart(
    <Editor
      userId={USER}
      row={row as AgencyRow | null}
      firstTab="basic"
      onSaved={() => {}}
      signOut={async () => {}}
      gigs={() => null}
    />,
  );
  const writes = () => requests.filter((sent) => sent.method !== 'GET');
  return { answers: agencies.answers, writes };
}

/** This error is the only one on the page, its tab is open, and its field has the focus. */
async function expectRefused(message: string, name: string) {
  await save();
  await waitFor(() => expect(errors()).toEqual([message]));
  await waitFor(() => expect(field(name)).toHaveFocus());
  await waitFor(() => expect(toasts()).toContain(message));
}

it('shows only the first error, in its tab and at its field', async () => {
  const { writes } = open();
  await openTab('Contract');
  await expectRefused('Name is required', 'Name');
  await fill(field('Name'), '   ');
  await expectRefused('Name is required', 'Name');
  for (const [name, most] of [
    ['Name', 100],
    ['Company name', 100],
    ['Description', 500],
  ] as const) {
    await fill(field(name), 'x'.repeat(most + 1));
    await expectRefused(`${name} can have at most ${most} characters`, name);
    await fill(field(name), 'x'.repeat(most));
  }
  for (const wrong of ['', 'hello@tandu', 'not an address']) {
    await openTab('Contact & Details');
    await fill(field('E-mail'), wrong);
    await openTab('Basic Info');
    await expectRefused('Valid email is required', 'E-mail');
  }
  await fill(field('E-mail'), 'halo@rimba.test');
  await fill(field('Phone'), '0'.repeat(21));
  await expectRefused('Phone can have at most 20 characters', 'Phone');
  await fill(field('Phone'), '');
  for (const wrong of ['rimba', 'javascript:alert(1)', 'https://localhost']) {
    await fill(field('Website'), wrong);
    await expectRefused('Enter a link such as https://example.com', 'Website');
  }
  await fill(field('Website'), '');
  await fill(field('Location'), 'x'.repeat(101));
  await expectRefused('Location can have at most 100 characters', 'Location');
  expect(writes()).toEqual([]);

  await fill(field('Location'), '');
  await save();
  await waitFor(() => expect(toasts()).toContain(SAVED));
  expect(errors()).toEqual([]);
  expect(writes()).toMatchObject([{ method: 'POST', body: { user_id: USER, email: 'halo@rimba.test' } }]);
});

it("counts the description's characters, and shows what is not saved", async () => {
  open();
  expect(screen.getByText('Welcome to Serasi')).toBeVisible();
  expect(screen.getByText('Nothing saved yet')).toBeVisible();
  await fill(field('Description'), 'We plan launches.');
  expect(screen.getByText('17 / 500')).toBeVisible();
  expect(screen.getByText('Unsaved changes')).toBeVisible();
  await openTab('Contract');
  await user.click(byRole('switch', 'Contracts enabled'));
  expect(screen.getByText('Switched on. Press Save Profile to keep it.')).toBeVisible();
});

it('sends only the changed fields, once, and keeps them when the server rejects them', async () => {
  const { answers, writes } = open({ id: 'b1', user_id: USER, name: 'Rimba', email: 'halo@rimba.test' });
  const patch = answers['PATCH /rest/v1/agencies'];
  answers['PATCH /rest/v1/agencies'] = () => refused(403, '42501', 'permission denied for view agencies');
  await fill(field('Company name'), '  Rimba Sdn Bhd ');
  await save();
  await waitFor(() => expect(toasts().join()).toContain('Failed to save agency profile'));
  expect(field('Company name')).toHaveValue('  Rimba Sdn Bhd ');
  expect(screen.getByText('Unsaved changes')).toBeVisible();
  if (patch) answers['PATCH /rest/v1/agencies'] = patch;
  await user.dblClick(button('Save Profile'));
  await waitFor(() => expect(screen.getByText('All changes saved')).toBeVisible());
  expect(writes().map((sent) => sent.body)).toEqual([
    { company_name: 'Rimba Sdn Bhd' },
    { company_name: 'Rimba Sdn Bhd' },
  ]);
});

it('asks before leaving, and names the unsaved fields', async () => {
  open({ id: 'b1', user_id: USER, name: 'Rimba', email: 'halo@rimba.test' });
  await fill(field('Company name'), 'Never saved');
  await user.click(byRole('link', 'Main Page'));
  const question = byRole('alertdialog', 'Save before you leave?');
  expect(question).toHaveTextContent('Company name');
  await user.click(button('Stay'));
  expect(question).not.toBeInTheDocument();
  expect(field('Company name')).toHaveValue('Never saved');
});

it('saves a website typed without https://, and an emptied type as null', async () => {
  Element.prototype.scrollIntoView ??= () => {};
  Element.prototype.hasPointerCapture ??= () => false;
  const { writes } = open({ id: 'b1', user_id: USER, name: 'Rimba', email: 'halo@rimba.test', type: 'PR' });
  await openTab('Contact & Details');
  await fill(field('Website'), 'rimba.test/about');
  byRole('combobox', 'Agency type').focus();
  await user.keyboard('{Enter}');
  const list = await screen.findByRole('listbox', { hidden: true });
  within(list).getByRole('option', { name: 'No type', hidden: true }).focus();
  await user.keyboard('{Enter}');
  await save();
  await waitFor(() => expect(toasts()).toContain(SAVED));
  expect(writes().at(-1)?.body).toEqual({ website: 'https://rimba.test/about', type: null });
  expect(field('Website')).toHaveValue('https://rimba.test/about');
});

it('says how the phone number is read', async () => {
  open({ id: 'b1', user_id: USER, name: 'Rimba', email: 'halo@rimba.test' });
  await openTab('Contact & Details');
  const phone = field('Phone');
  const help = () => document.getElementById(phone.getAttribute('aria-describedby') ?? '')?.textContent;
  expect(help()).toBe('Also opens WhatsApp. Without a country code, it is a Malaysian number.');
  await fill(phone, '012-345 6789');
  await waitFor(() => expect(help()).toBe('Opens WhatsApp for +60 12 345 6789.'));
  await fill(phone, '12');
  await waitFor(() => expect(help()).toBe('This does not look like a phone number. It is shown as typed.'));
  expect(phone).toHaveValue('12');
});

it('leaving without saving frees the chosen picture', async () => {
  open({ id: 'b1', user_id: USER, name: 'Rimba', email: 'halo@rimba.test' });
  act(() => {
    useAgencyPictures.getState().choose('logo', pendingFile(new Blob(['x'], { type: 'image/png' }), 'logo.png'));
  });
  const revoke = vi.spyOn(URL, 'revokeObjectURL');
  await user.click(button('Sign Out'));
  await user.click(button('Leave without saving'));
  expect(useAgencyPictures.getState().changed).toBe(false);
  expect(revoke).toHaveBeenCalledOnce();
});

it('Keep mine leaves out photos whose files the other tab deleted', async () => {
  const row = { id: 'b1', user_id: USER, name: 'Rimba', email: 'halo@rimba.test', gallery: ['/a.png', '/b.png'] };
  const { answers, writes } = open(row);
  answers['GET /rest/v1/agencies'] = () => [{ ...row, gallery: ['/a.png', '/c.png'] }];
  act(() => useAgencyPictures.getState().movePhoto(0, 1));
  await save();
  await screen.findByText('Changed in another tab');
  await user.click(button('Keep mine'));
  await waitFor(() => expect(toasts()).toContain(SAVED));
  expect(writes().map((sent) => sent.body)).toEqual([{ gallery: ['/a.png'] }]);
});

it('the meter leads to what is missing', async () => {
  useAgencyPictures.getState().load({ slots: { banner: null, logo: null }, photos: [] });
  open({ name: 'Rimba', email: 'halo@rimba.test', phone: '03-123', website: 'https://rimba.test', location: 'Ipoh' });
  expect(byRole('heading', 'Your profile is 38% complete')).toBeVisible();
  for (const [todo, control] of [
    ['Fill the gallery', /^Add image/],
    ['Choose an agency type', 'Agency type'],
    ['Upload a banner', 'Add banner'],
    ['Upload a logo', 'Add logo'],
    ['Describe your agency', 'Description'],
  ] as const) {
    await user.click(button(todo));
    expect(document.activeElement).toHaveAccessibleName(control);
  }
});

it('a complete profile says so in one line', () => {
  const pictures = { banner_url: '/banner.webp', logo_url: '/logo.webp', gallery: ['/one.webp'] };
  const contact = { phone: '03-123', website: 'https://rimba.test', location: 'Ipoh', type: 'Events' };
  open({ name: 'Rimba', email: 'halo@rimba.test', description: 'We plan.', ...contact, ...pictures });
  expect(screen.getByText('Your profile is complete.')).toBeVisible();
  expect(screen.queryByRole('meter')).toBeNull();
});

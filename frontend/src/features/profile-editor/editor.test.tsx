// The influencer's form with its real schema and client, tab by tab.
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { refused, serve, singleRow } from '@/testing/backend';
import { button, byRole, errors, fill, openPart, toasts, user } from '@/testing/render';
import { Editor } from './components/editor';
import { usePictures } from './pictures';
import type { InfluencerRow } from './record';

beforeAll(() => {
  // Browser APIs that Radix's select needs and happy-dom lacks.
  Element.prototype.scrollIntoView ??= () => {};
  Element.prototype.hasPointerCapture ??= () => false;
});
beforeEach(() => usePictures.getState().load({ slots: { cover: null, profile: null }, photos: [] }));
afterEach(() => vi.unstubAllGlobals());

const USER = 'a0000000-0000-4000-8000-000000000001';
const ROW = { id: 'b1', user_id: USER, name: 'Lim', username: 'lim', category: 'Tech' } as InfluencerRow;
const SAVED = 'Profile saved successfully!';
const field = (name: string | RegExp) => byRole('textbox', name);
const openTab = (name: string) => user.click(byRole('tab', name));
const save = () => user.click(button('Save Profile'));

function open(row: InfluencerRow | null) {
  const { answers } = singleRow('influencers', row ?? undefined);
  answers['GET /rest/v1/notices'] = () => [];
  const requests = serve(answers);
  openPart(<Editor userId={USER} row={row} onSaved={() => {}} signOut={async () => {}} />);
  return { answers, writes: () => requests.filter((sent) => sent.method !== 'GET') };
}

async function openList(label: string | RegExp) {
  byRole('combobox', label).focus();
  await user.keyboard('{Enter}');
  const list = await screen.findByRole('listbox', { hidden: true });
  return within(list).getAllByRole('option', { hidden: true });
}

const options = async (label: string | RegExp) => (await openList(label)).map((option) => option.textContent);

async function choose(label: string | RegExp, name: string) {
  const option = (await openList(label)).find(({ textContent }) => textContent === name);
  option?.focus();
  await user.keyboard('{Enter}');
}

async function expectRefused(message: string, name: string | RegExp) {
  await save();
  await waitFor(() => expect(errors()).toEqual([message]));
  await waitFor(() => expect(field(name)).toHaveFocus());
  await waitFor(() => expect(toasts()).toContain(message));
}

it('shows only the first error, opens its tab and focuses its field', async () => {
  const { writes } = open(null);
  await openTab('Payment');
  await expectRefused('Name is required', /^Name/);
  await fill(field(/^Name/), 'x'.repeat(101));
  await expectRefused('Name can have at most 100 characters', /^Name/);
  await fill(field(/^Name/), 'Lim');
  await expectRefused('Username is required', /^Username/);
  await fill(field(/^Username/), 'lim');
  await save();
  await waitFor(() => expect(errors()).toEqual(['Category is required']));
  expect(byRole('combobox', 'Category')).toBeRequired();
  await choose('Category', 'Tech');
  await openTab('Social Media');
  await user.click(byRole('switch', 'YouTube'));
  await fill(field('Profile link'), 'youtube/lim');
  await openTab('Basic Info');
  await expectRefused('Enter a link such as https://example.com', 'Profile link');
  expect(writes()).toEqual([]);
  await fill(field('Profile link'), 'youtube.test/lim');
  await user.dblClick(button('Save Profile'));
  await waitFor(() => expect(toasts()).toContain(SAVED));
  expect(writes()).toMatchObject([
    {
      method: 'POST',
      body: { name: 'Lim', username: 'lim', category: 'Tech', user_id: USER, youtube_link: 'https://youtube.test/lim' },
    },
  ]);
});

it('shows a taken username as an error at its field', async () => {
  const { answers } = open(ROW);
  const patch = answers['PATCH /rest/v1/influencers'];
  const taken = 'duplicate key value violates unique constraint "influencers_username_key"';
  answers['PATCH /rest/v1/influencers'] = () => refused(409, '23505', taken);
  await fill(field(/^Username/), 'SOFEA.styled');
  await expectRefused('This username is already taken', /^Username/);
  if (patch) answers['PATCH /rest/v1/influencers'] = patch;
  await fill(field(/^Username/), 'lim.2');
  await save();
  await waitFor(() => expect(toasts()).toContain(SAVED));
});

it('offers the options listed in the specification', async () => {
  open(ROW);
  expect(await options('Category')).toEqual(['Fashion', 'Tech', 'Gaming', 'Lifestyle', 'Beauty', 'Travel']);
  await user.keyboard('{Escape}');
  for (const [label, count] of [
    ['Ethnicity', 34],
    ['Religion', 10],
    ['Language', 12],
  ] as const) {
    expect(await options(label), label).toHaveLength(count);
    await user.keyboard('{Escape}');
  }
});

it('clears the fields of a platform that is switched off', async () => {
  open(ROW);
  await openTab('Social Media');
  await user.click(byRole('switch', 'TikTok'));
  await fill(field('Followers'), '12K');
  await user.click(byRole('switch', 'TikTok'));
  await user.click(byRole('switch', 'TikTok'));
  expect(field('Followers')).toHaveValue('');
});

it('parses a date of birth, shows the age, and rejects other text', async () => {
  open(ROW);
  const birth = field('Date of birth');
  const year = new Date().getFullYear();
  await fill(birth, '3/2/2001');
  await user.tab();
  expect(birth).toHaveValue('3 Feb 2001');
  expect(screen.getByText(`Age ${year - 2001}. Only your age is shown.`)).toBeVisible();
  for (const [typed, message] of [
    ['31 Dec 1899', "Date of birth can't be before 1 Jan 1900"],
    [`1/1/${year + 1}`, "Date of birth can't be in the future"],
    ['the fifth of May', 'Enter a date such as 14 Mar 1999'],
  ] as const) {
    await fill(birth, typed);
    await user.tab();
    await waitFor(() => expect(errors()).toEqual([message]));
  }
  expect(birth).toHaveValue('the fifth of May');
  await fill(birth, '');
  await user.tab();
  await waitFor(() => expect(errors()).toEqual([]));
});

it('counts the characters of the bio', async () => {
  open(ROW);
  await fill(field('Bio'), 'x'.repeat(116));
  expect(screen.getByText('116 / 500')).toBeVisible();
});

it('the preview shows placeholders, then the typed text', async () => {
  open(null);
  const preview = async () => {
    await user.click(screen.getAllByRole('button', { name: 'Preview Profile', hidden: true })[0] as HTMLElement);
    return within(await screen.findByRole('dialog', { name: 'Preview Profile' }));
  };
  const placeholders = await preview();
  for (const text of ['Your Name', '@username', 'Category']) expect(placeholders.getByText(text)).toBeVisible();
  await user.keyboard('{Escape}');
  await fill(field(/^Name/), 'Lim Wei');
  expect((await preview()).getByText('Lim Wei')).toBeVisible();
});

it('adds a service with title and description, and undoes a removal', async () => {
  open(ROW);
  await openTab('Services');
  await fill(field(/^Title/), 'One video');
  expect(button('Add service')).toBeDisabled();
  await fill(field(/^Description/), 'Within a week');
  await user.click(button('Add service'));
  expect(screen.getByText('No price set')).toBeVisible();
  await user.click(button('Remove service One video'));
  expect(screen.queryByText('No price set')).toBeNull();
  await user.click(await screen.findByText('Undo'));
  expect(button('Remove service One video')).toBeVisible();
});

it('edits a service in place, and moves it with the keyboard', async () => {
  const services = ['One video', 'Two videos'].map((title) => ({ title, description: 'In a week', price: '' }));
  const { writes } = open({ ...ROW, services });
  await openTab('Services');
  await user.click(button('Edit service One video'));
  const [title] = screen.getAllByRole('textbox', { name: /^Title/, hidden: true });
  await fill(title as HTMLElement, '');
  expect(button('Done')).toBeDisabled();
  await save();
  await waitFor(() => expect(errors()).toEqual(['Title is required']));
  await fill(title as HTMLElement, 'Three videos');
  await user.click(button('Done'));
  expect(screen.getByRole('heading', { name: 'Three videos', hidden: true })).toBeVisible();
  await user.click(button('Edit service Two videos'));
  await fill(screen.getAllByRole('textbox', { name: /^Title/, hidden: true })[0] as HTMLElement, 'Nothing');
  await user.click(button('Cancel'));
  expect(button('Edit service Two videos')).toBeVisible();

  // happy-dom has no layout: the rows get one.
  for (const [index, row] of screen.getAllByRole('listitem', { hidden: true }).entries()) {
    if (row.querySelector('[data-remove]')) row.getBoundingClientRect = () => new DOMRect(0, index * 100, 300, 90);
  }
  button('Move service Three videos').focus();
  await user.keyboard(' ');
  await screen.findByText('Moving Three videos: position 1.');
  await user.keyboard('{ArrowDown}');
  await screen.findByText('Moving Three videos: position 2.');
  await user.keyboard(' ');
  await screen.findByText('Three videos is now at position 2.');
  await save();
  await waitFor(() => expect(toasts()).toContain(SAVED));
  expect(writes().at(-1)?.body).toEqual({
    services: [services[1], { ...services[0], title: 'Three videos' }],
  });
});

it('shows the fields of the payment method, and ignores hidden ones', async () => {
  const { writes } = open(ROW);
  await openTab('Payment');
  const paypal = () => screen.queryByRole('textbox', { name: 'PayPal e-mail', hidden: true });
  expect(field('Bank name')).toBeVisible();
  expect(paypal()).toBeNull();
  await user.click(byRole('radio', 'PayPal'));
  expect(screen.queryByRole('textbox', { name: 'Bank name', hidden: true })).toBeNull();
  await user.click(byRole('radio', 'Both'));
  expect(field('Bank name')).toBeVisible();
  await fill(field('PayPal e-mail'), 'not an address');
  await openTab('Basic Info');
  await expectRefused('Invalid email address', 'PayPal e-mail');
  await user.click(byRole('radio', 'Bank Transfer'));
  expect(paypal()).toBeNull();
  await fill(field('Bank name'), 'Bank Rakyat');
  await save();
  await waitFor(() => expect(toasts()).toContain(SAVED));
  expect(writes().at(-1)?.body).toMatchObject({
    payment_info: { payment_method: 'bank', bank_name: 'Bank Rakyat' },
  });
});

it('accepts eight of nine photos, and no other files', async () => {
  open(ROW);
  await openTab('Content');
  const anyFile = userEvent.setup({ delay: null, applyAccept: false });
  const input = () => screen.getByLabelText('Add photos', { selector: 'input' });
  const pictures = (count: number) =>
    Array.from({ length: count }, (_, index) => new File([`${index}`], `${index}.png`, { type: 'image/png' }));
  await anyFile.upload(input(), new File(['no picture'], 'notes.txt', { type: 'text/plain' }));
  await waitFor(() => expect(toasts().join()).toContain('notes.txt is not a picture'));
  await anyFile.upload(input(), pictures(7));
  expect(await screen.findByText('7 of 8')).toBeVisible();
  await anyFile.upload(input(), pictures(2));
  await waitFor(() => expect(toasts()).toContain('Maximum 8 content photos allowed'));
  expect(screen.getByText('8 of 8')).toBeVisible();
  expect(screen.queryByText('Add photos')).toBeNull();
  await user.click(button('Remove photo 8'));
  expect(await screen.findByText('1 place left')).toBeVisible();
  await anyFile.upload(input(), pictures(1));
  expect(await screen.findByText('8 of 8')).toBeVisible();
  await user.click(button('Undo'));
  expect(screen.getByText('8 of 8')).toBeVisible();
});

it.each(['2001-02-31', '31 Feb 2001', '29/2/2001'])('%s is no date of birth', async (text) => {
  const { writes } = open(ROW);
  await fill(field('Date of birth'), text);
  await expectRefused('Enter a date such as 14 Mar 1999', 'Date of birth');
  expect(writes()).toEqual([]);
});

it('the meter leads to what is missing', async () => {
  open({ ...ROW, bio: 'Slow trains.' });
  expect(byRole('heading', 'Your profile is 11% complete')).toBeVisible();
  for (const [todo, control] of [
    ['Link a platform', 'Instagram'],
    ['Offer a service', 'Title'],
    ['Show your work', /^Add photos/],
    ['Add a photo of yourself', 'Change photo'],
    ['Add a cover picture', 'Change cover'],
    ['Say where you live', 'Location'],
    ['Enter your date of birth', 'Date of birth'],
    ['Choose your language', 'Language'],
  ] as const) {
    await user.click(button(todo));
    expect(document.activeElement).toHaveAccessibleName(control);
  }
});

// The vendor's form with its real schema and client.
import { screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { refused, serve, singleRow } from '@/testing/backend';
import { button, byRole, errors, fill, openPart, toasts, user } from '@/testing/render';
import { Editor } from './components/editor';

afterEach(() => vi.unstubAllGlobals());

const USER = 'a0000000-0000-4000-8000-000000000001';
const field = (name: string) => byRole('textbox', name);
const save = () => user.click(button('Save Profile'));

function open() {
  const { answers } = singleRow('vendors');
  const requests = serve(answers);
  openPart(<Editor userId={USER} row={null} onSaved={() => {}} signOut={async () => {}} />);
  return { answers, writes: () => requests.filter((sent) => sent.method !== 'GET') };
}

async function expectRefused(message: string, name: string) {
  await save();
  await waitFor(() => expect(errors()).toEqual([message]));
  await waitFor(() => expect(field(name)).toHaveFocus());
  await waitFor(() => expect(toasts()).toContain(`Validation Error${message}`));
}

it('shows only the first error, in a Validation Error toast and at its field', async () => {
  const { writes } = open();
  await user.click(byRole('tab', 'Contact & Details'));
  await expectRefused('Name is required', 'Name');
  await fill(field('Name'), 'x'.repeat(101));
  await expectRefused('Name can have at most 100 characters', 'Name');
  await fill(field('Name'), 'Tandu');
  await fill(field('Company name'), 'x'.repeat(101));
  await expectRefused('Company name can have at most 100 characters', 'Company name');
  await fill(field('Company name'), '');
  await fill(field('Description'), 'x'.repeat(501));
  await expectRefused('Description can have at most 500 characters', 'Description');
  await fill(field('Description'), 'Stage sound and wireless kits.');
  expect(screen.getByText('30 / 500')).toBeVisible();
  await expectRefused('Valid email is required', 'E-mail');
  await fill(field('E-mail'), 'hello@tandu');
  // The card's Contact button needs a valid address.
  expect(screen.getByText('Contact')).toHaveAttribute('data-disabled', 'true');
  await expectRefused('Valid email is required', 'E-mail');
  await fill(field('E-mail'), 'hello@tandu.test');
  await fill(field('Phone'), '0'.repeat(21));
  await expectRefused('Phone can have at most 20 characters', 'Phone');
  await fill(field('Phone'), '');
  await fill(field('Website'), 'tandu');
  await expectRefused('Enter a link such as https://example.com', 'Website');
  await fill(field('Website'), 'tandu.test');
  await fill(field('Location'), 'x'.repeat(101));
  await expectRefused('Location can have at most 100 characters', 'Location');
  expect(writes()).toEqual([]);

  await fill(field('Location'), '');
  await user.click(button('Equipment'));
  expect(button('Equipment')).toHaveAttribute('aria-pressed', 'true');
  await save();
  await waitFor(() => expect(toasts()).toContain('Vendor profile saved successfully!'));
  expect(writes()).toMatchObject([
    {
      method: 'POST',
      body: {
        user_id: USER,
        name: 'Tandu',
        email: 'hello@tandu.test',
        type: 'Equipment',
        phone: null,
        website: 'https://tandu.test',
      },
    },
  ]);
});

it('keeps the typed text when the server rejects the save', async () => {
  const { answers } = open();
  answers['POST /rest/v1/vendors'] = () => refused(403, '42501', 'permission denied for view vendors');
  await fill(field('Name'), 'Tandu');
  await user.click(byRole('tab', 'Contact & Details'));
  await fill(field('E-mail'), 'hello@tandu.test');
  await save();
  await waitFor(() => expect(toasts().join()).toContain('Failed to save vendor profile'));
  expect(field('E-mail')).toHaveValue('hello@tandu.test');
  expect(screen.getByText('Unsaved changes')).toBeVisible();
});

it('the meter leads to what is missing, and moves while one types', async () => {
  open();
  expect(byRole('heading', 'Your profile is 0% complete')).toBeVisible();
  for (const [todo, control] of [
    ['Enter a phone number', 'Phone'],
    ['Choose a vendor type', 'Equipment'],
    ['Upload a logo', 'Add logo'],
    ['Describe what you supply', 'Description'],
  ] as const) {
    await user.click(button(todo));
    expect(document.activeElement).toHaveAccessibleName(control);
  }
  await fill(field('Description'), 'Stage sound.');
  expect(byRole('heading', 'Your profile is 17% complete')).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Describe what you supply' })).toBeNull();
});

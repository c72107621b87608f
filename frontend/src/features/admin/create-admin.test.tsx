// The form that creates an admin.
import { screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { type Answers, serve } from '@/testing/backend';
import { button, byRole, errors, fill, openPart, toasts, user } from '@/testing/render';
import { CreateAdmin } from './components/create-admin';

afterEach(() => vi.unstubAllGlobals());

const PATH = 'POST /functions/v1/create-admin';
const email = () => screen.getByLabelText(/^E-mail/);
const password = () => screen.getByLabelText(/^Password/);
const create = () => user.click(button('Create Admin'));

function open(answer: Answers[string]) {
  const requests = serve({
    [PATH]: answer,
    'GET /rest/v1/user_roles': () => [],
    'GET /rest/v1/rpc/staff_with_factor': () => [],
  });
  openPart(<CreateAdmin />);
  return () => requests.filter((sent) => sent.method === 'POST').map((sent) => sent.body);
}

it('shows one error at a time, then creates an admin or a superadmin', async () => {
  const created = open(() => ({}));
  expect(byRole('radio', /^Admin/)).toBeChecked();
  await create();
  await waitFor(() => expect(errors()).toEqual(['E-mail is required']));
  await fill(email(), 'nadia');
  await create();
  await waitFor(() => expect(errors()).toEqual(['Invalid email address']));
  await fill(email(), 'nadia@example.test');
  await create();
  await waitFor(() => expect(errors()).toEqual(['Password is required']));
  await fill(password(), 'short');
  await create();
  await waitFor(() => expect(errors()).toEqual(['Password must be at least 6 characters']));
  expect(created()).toEqual([]);
  await fill(password(), 'serasi-demo');
  await create();
  await waitFor(() => expect(toasts().join()).toContain('Admin user created successfully'));
  await fill(email(), 'sofea@example.test');
  await fill(password(), 'serasi-demo');
  await user.click(byRole('radio', /^Super Admin/));
  await create();
  await waitFor(() => expect(toasts().join()).toContain('Super admin user created successfully'));
  expect(created()).toMatchObject([
    { email: 'nadia@example.test', role: 'admin' },
    { email: 'sofea@example.test', role: 'superadmin' },
  ]);
});

it.each([
  ['the server', () => Response.json({ error: 'Only one of you' }, { status: 400 }), 'Only one of you'],
  ['something else', () => new Response('<html>', { status: 502 }), 'Failed to create admin user'],
])('shows the error of a rejection by %s', async (_, answer, message) => {
  open(answer);
  await fill(email(), 'nadia@example.test');
  await fill(password(), 'serasi-demo');
  await create();
  expect(await screen.findByRole('alert', { hidden: true })).toHaveTextContent(message);
  expect(email()).toHaveValue('nadia@example.test');
});

import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, it, vi } from 'vitest';
import { NewsletterForm } from './newsletter-form';

const insert = vi.hoisted(() => vi.fn());
vi.mock('@/lib/supabase', () => ({ rest: () => ({ from: () => ({ insert }) }) }));

beforeEach(() => {
  insert.mockReset().mockResolvedValue({ error: null });
  render(<NewsletterForm />, {
    wrapper: ({ children }) => <QueryClientProvider client={new QueryClient()}>{children}</QueryClientProvider>,
  });
});

async function subscribe(address: string) {
  const field = screen.getByLabelText('E-mail');
  await userEvent.clear(field);
  await userEvent.type(field, address);
  await userEvent.click(screen.getByRole('button', { name: 'Subscribe' }));
}

const says = (text: string) => waitFor(() => expect(screen.getByRole('status')).toHaveTextContent(text));

it('does not send an invalid address', async () => {
  await subscribe('no address');
  await says('Invalid email address');
  expect(insert).not.toHaveBeenCalled();
});

it('thanks, even for a second time', async () => {
  await subscribe('reader@example.test');
  await says('Thanks for subscribing!');
  insert.mockResolvedValue({ error: { code: '23505', message: 'duplicate' } });
  await subscribe('reader@example.test');
  await says('Thanks for subscribing!');
  expect(insert).toHaveBeenCalledTimes(2);
});

it.each([
  ['23514', 'Invalid email address'],
  ['22000', 'Something went wrong. Please try again.'],
  ['PT429', 'Too many subscriptions right now. Please try again later.'],
])('explains the error %s', async (code, text) => {
  insert.mockResolvedValue({ error: { code, message: 'No.' } });
  await subscribe('reader@example.test');
  await says(text);
});

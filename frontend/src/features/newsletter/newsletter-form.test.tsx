import { screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type Answers, type Sent, serve } from '@/testing/backend';
import { button, fill, openPart, user } from '@/testing/render';
import { NewsletterForm } from './newsletter-form';

const SUBSCRIPTIONS = 'POST /rest/v1/newsletter_subscriptions';
let answers: Answers;
let requests: Sent[];

beforeEach(() => {
  answers = { [SUBSCRIPTIONS]: () => new Response(null, { status: 201 }) };
  requests = serve(answers);
  openPart(<NewsletterForm />);
});
afterEach(() => vi.unstubAllGlobals());

const sent = () => requests.filter(({ path }) => path.endsWith('/newsletter_subscriptions')).map(({ body }) => body);

const refuse = (status: number, code: string) => {
  answers[SUBSCRIPTIONS] = () => Response.json({ code, message: 'No.' }, { status });
};

async function subscribe(address: string) {
  await fill(screen.getByLabelText('E-mail'), address);
  await user.click(button('Subscribe'));
}

const says = (text: string) => waitFor(() => expect(screen.getByRole('status')).toHaveTextContent(text));

it('does not send an invalid address', async () => {
  await subscribe('no address');
  await says('Invalid email address');
  expect(sent()).toEqual([]);
});

it('thanks, even for a second time', async () => {
  await subscribe('reader@example.test');
  await says('Thanks for subscribing!');
  refuse(409, '23505');
  await subscribe('reader@example.test');
  const email = 'reader@example.test';
  await waitFor(() => expect(sent()).toEqual([{ email }, { email }]));
  await says('Thanks for subscribing!');
});

it.each([
  [400, '23514', 'Invalid email address'],
  [400, '22000', 'Something went wrong. Please try again.'],
  [429, 'PT429', 'Too many subscriptions right now. Please try again later.'],
])('explains the error %i %s', async (status, code, text) => {
  refuse(status, code);
  await subscribe('reader@example.test');
  await says(text);
});

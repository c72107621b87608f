// Mails to an address, and the links in them.
import { expect } from 'vitest';
import { eventually } from '../../frontend/e2e/eventually';
import { type Mail, mailsTo } from '../../frontend/e2e/mailbox';
import { request } from '../server';

/** Waits until `count` mails of a template have arrived. Newest first. */
async function mailsOfKind(address: string, template: string, count: number) {
  return eventually(async () => {
    const found = (await mailsTo(request, address)).filter((mail) => mail.template === template);
    expect(found).toHaveLength(count);
    return found;
  });
}

export async function mailTo(address: string, template: string): Promise<Mail> {
  return (await mailsOfKind(address, template, 1))[0] as Mail;
}

/** Waits for a second mail of the template and returns it. */
export async function secondMailTo(address: string, template: string): Promise<Mail> {
  return (await mailsOfKind(address, template, 2))[0] as Mail;
}

export const parameter = (mail: Mail, name: string) => new URL(mail.link ?? '').searchParams.get(name) ?? '';

/** Opens the link at the API and returns the URL that it redirects to. */
export async function followed(mail: Mail): Promise<URL> {
  const query = new URLSearchParams({ token: parameter(mail, 'token_hash'), type: parameter(mail, 'type') });
  const answer = await request.get(`/auth/v1/verify?${query}`, { maxRedirects: 0 });
  expect(answer.status()).toBe(303);
  return new URL(answer.headers().location ?? '');
}

// The mails that `serasi up` shows and does not send.
import { type APIRequestContext, expect } from '@playwright/test';

export interface Mail {
  to: string;
  subject: string;
  template: string;
  link: string | null;
  code: string | null;
}

export async function mailsTo(request: APIRequestContext, address: string): Promise<Mail[]> {
  const answer = await request.get('/dev/mail?format=json');
  expect(answer.ok(), `/dev/mail answers ${answer.status()}`).toBe(true);
  const mails: Mail[] = await answer.json();
  return mails.filter((mail) => mail.to === address);
}

/** The link of the one mail to an address, as a path: the site may be known by another name than the test uses. */
export async function linkTo(request: APIRequestContext, address: string): Promise<string> {
  let mails: Mail[] = [];
  await expect(async () => {
    mails = await mailsTo(request, address);
    expect(mails).toHaveLength(1);
  }).toPass({ timeout: 15_000 });
  const link = new URL(mails[0]?.link ?? '');
  return link.pathname + link.search;
}

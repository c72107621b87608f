// The mails that `serasi up` shows and does not send.
import assert from 'node:assert/strict';
import type { Api } from './api';
import { eventually } from './eventually';

export interface Mail {
  to: string;
  subject: string;
  template: string;
  link: string | null;
  code: string | null;
}

export async function mailsTo(request: Api, address: string): Promise<Mail[]> {
  const answer = await request.get('/dev/mail?format=json');
  assert.ok(answer.ok(), `/dev/mail answers ${answer.status()}`);
  const mails: Mail[] = await answer.json();
  return mails.filter((mail) => mail.to === address);
}

/** The link of the one mail to an address, as a path: the site may be known by another name than the test uses. */
export async function linkTo(request: Api, address: string): Promise<string> {
  const mail = await eventually(async () => {
    const mails = await mailsTo(request, address);
    assert.equal(mails.length, 1, `mails to ${address}`);
    return mails[0];
  });
  const link = new URL(mail?.link ?? '');
  return link.pathname + link.search;
}

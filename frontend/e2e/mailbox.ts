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

const LISTED = /<li><a class="card" href="(\/dev\/mail\/[^"]+)"><strong>[^<]*<\/strong><span>([^<]*)<\/span>/g;

/** Newest first. Reads the page that lists the mails: the JSON holds the HTML of each, close to a megabyte in all. */
export async function mailsTo(request: Api, address: string): Promise<Mail[]> {
  const list = await request.get('/dev/mail');
  assert.ok(list.ok(), `/dev/mail answers ${list.status()}`);
  const html = await list.text();
  const listed = [...html.matchAll(LISTED)];
  assert.equal(listed.length, html.split('<li>').length - 1, 'the page of captured mails has changed');
  return Promise.all(listed.filter(([, , to]) => to === address).map(([, path]) => mailAt(request, `${path}`)));
}

async function mailAt(request: Api, path: string): Promise<Mail> {
  const answer = await request.get(`${path}?format=json`);
  assert.ok(answer.ok(), `${path} answers ${answer.status()}`);
  return answer.json();
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

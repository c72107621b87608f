// The e-mails that `serasi up` captures instead of sending.
import assert from 'node:assert/strict';
import type { Api } from './api';
import { eventually } from './eventually';

export interface Mail {
  to: string;
  subject: string;
  html: string;
  template: string;
  link: string | null;
  code: string | null;
}

const LISTED = /<li><a class="card" href="(\/dev\/mail\/[^"]+)"><strong>[^<]*<\/strong><span>([^<]*)<\/span>/g;

/** Newest first. Reads the HTML list of e-mails, because the JSON contains all their HTML, almost a megabyte. */
export async function mailsTo(request: Api, address: string): Promise<Mail[]> {
  const { MAIL_URL } = process.env;
  assert.ok(MAIL_URL, 'set MAIL_URL, which `serasi status --output env` prints');
  const list = await request.get(MAIL_URL);
  assert.ok(list.ok(), `the list of captured e-mails responded ${list.status()}`);
  const html = await list.text();
  const listed = [...html.matchAll(LISTED)];
  assert.equal(listed.length, html.split('<li>').length - 1, 'the format of the list of captured e-mails has changed');
  return Promise.all(listed.filter(([, , to]) => to === address).map(([, path]) => mailAt(request, `${path}`)));
}

async function mailAt(request: Api, path: string): Promise<Mail> {
  const answer = await request.get(`${path}?format=json`);
  assert.ok(answer.ok(), `${path} answers ${answer.status()}`);
  return answer.json();
}

/**
 * The path of the link in the only e-mail to an address, or in the only one with this template. Without the host, because
 * the site may have another name than in the test.
 */
export async function linkTo(request: Api, address: string, template?: string): Promise<string> {
  const mail = await eventually(async () => {
    const mails = (await mailsTo(request, address)).filter((one) => !template || one.template === template);
    assert.equal(mails.length, 1, `mails to ${address}`);
    return mails[0];
  });
  const link = new URL(mail?.link ?? '');
  return link.pathname + link.search + link.hash;
}

/** Waits until an e-mail with this subject has arrived. */
export const mailed = (request: Api, address: string, subject: string) =>
  eventually(async () => {
    const subjects = (await mailsTo(request, address)).map((mail) => mail.subject);
    assert.ok(subjects.includes(subject), `${subject}: only ${subjects.join(', ')}`);
  });

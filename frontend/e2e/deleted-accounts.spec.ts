// An account is deleted while others are in the middle of an enquiry, an application or a report with it.
import { expect } from '@playwright/test';
import { approvedInfluencer, deleteAccount, posted, publicKey, startSession, verifiedInfluencer } from './accounts';
import type { Api } from './api';
import { newAgency, withRecord } from './businesses';
import { eventually } from './eventually';
import { agencyWithGig, applies } from './gigs';
import { linkTo, mailsTo } from './mailbox';
import { somebodyNew } from './people';
import { browserOf, newStaff } from './staff';
import { test } from './test';

const BRIEF = { deliverables: 'One reel', message: 'Would you show our new menu?' };

/** The ids of the enquiries, in the order of the influencers. */
async function sent(request: Api, headers: Record<string, string>, brief: object): Promise<string[]> {
  const answer = await posted(request, '/functions/v1/enquiries', headers, { ...BRIEF, ...brief });
  return answer.enquiries.map(({ id }: { id: string }) => id);
}

const mailed = (request: Api, address: string, subject: string) =>
  eventually(async () => {
    const subjects = (await mailsTo(request, address)).map((mail) => mail.subject);
    expect(subjects).toContain(subject);
  });

test('a brand leaves: its open enquiry is withdrawn, and the accepted one is cancelled', async ({
  page,
  browser,
  request,
}) => {
  const agency = await withRecord(request, 'agencies', await newAgency(request));
  const [asked, working] = await Promise.all([approvedInfluencer(request), approvedInfluencer(request)]);
  const ids = await sent(request, agency.headers, { influencer_ids: [asked.profileId, working.profileId] });
  await posted(request, '/rest/v1/rpc/answer_enquiry', working.headers, { enquiry_id: ids[1], accept: true });
  await startSession(page, asked);
  await page.goto(`/enquiries/${ids[0]}`);
  await page.getByLabel('Text').fill('Gladly.');
  const desk = await browserOf(browser, working);
  await desk.goto('/collaborations');
  await desk.getByRole('button', { name: 'Mark as completed' }).click();

  await deleteAccount(request, agency.userId);

  await page.getByRole('button', { name: 'Accept' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Accept' }).click();
  await expect(page.getByText('This enquiry is already withdrawn')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'From Former member' })).toBeVisible();
  await expect(page.getByText(agency.name)).toHaveCount(0);
  await desk.getByRole('alertdialog').getByRole('button', { name: 'Mark as completed' }).click();
  await expect(desk.getByText('The collaboration is cancelled')).toBeVisible();
  await desk.reload();
  await expect(desk.getByText(/^Cancelled on .* because a profile was deleted\.$/)).toBeVisible();
  await expect(desk.getByText('Former member')).toBeVisible();
  await expect(desk.getByText(agency.email)).toHaveCount(0);
  await mailed(request, working.email, 'Your work with Former member was cancelled');
  await desk.context().close();
});

test('an influencer leaves while a guest reviews the work', async ({ page, request }) => {
  const [influencer, guest] = [await approvedInfluencer(request), somebodyNew()];
  const apikey = await publicKey(request);
  const visitor = { apikey, Authorization: `Bearer ${apikey}` };
  const brief = { influencer_ids: [influencer.profileId], name: guest.name, email: guest.email };
  const [enquiry] = await sent(request, visitor, brief);
  const token = (await linkTo(request, guest.email)).split('/').at(-1);
  await posted(request, '/rest/v1/rpc/confirm_enquiry', visitor, { token });
  const answer = { enquiry_id: enquiry, accept: true };
  const { collaboration_id } = await posted(request, '/rest/v1/rpc/answer_enquiry', influencer.headers, answer);
  await posted(request, '/rest/v1/rpc/complete_collaboration', influencer.headers, { collaboration_id });
  await page.goto(await linkTo(request, guest.email, 'guest_review'));
  await page.getByRole('radio', { name: '5 stars, Excellent' }).check({ force: true });
  await page.getByLabel('Your review').fill('It was good to work together.');

  await deleteAccount(request, influencer.userId);

  await page.getByRole('button', { name: 'Send review' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'This collaboration was cancelled' })).toBeVisible();
  await mailed(request, guest.email, 'Your work with Former member was cancelled');
});

test('an applicant and then the agency leave in the middle of an application', async ({ page, browser, request }) => {
  const agency = await agencyWithGig(request, { places: 1 });
  const [leaving, staying] = await Promise.all([verifiedInfluencer(request), verifiedInfluencer(request)]);
  await applies(request, leaving, agency.gigId);
  const application_id = await applies(request, staying, agency.gigId);
  const decision = { application_id, decision: 'shortlisted' };
  await posted(request, '/rest/v1/rpc/decide_application', agency.headers, decision);
  const desk = await browserOf(browser, agency);
  await desk.goto(`/gigs/${agency.gigId}/applicants`);
  await desk.getByRole('button', { name: leaving.name }).click();
  await startSession(page, staying);
  await page.goto(`/gigs/${agency.gigId}`);
  await expect(page.getByRole('heading', { name: 'Your application' })).toBeVisible();

  await deleteAccount(request, leaving.userId);
  await desk.getByRole('button', { name: 'Shortlist', exact: true }).click();
  await expect(desk.getByText(/^This application is withdrawn/)).toBeVisible();
  await expect(desk.getByRole('complementary').getByText('This account was deleted.')).toBeVisible();
  await expect(desk.getByText(leaving.name)).toHaveCount(0);

  await deleteAccount(request, agency.userId);
  await page.reload();
  await expect(page.getByRole('heading', { name: 'This gig was removed' })).toBeVisible();
  await page.getByRole('link', { name: 'Your applications' }).last().click();
  await expect(page.getByText('This gig was removed')).toBeVisible();
  await expect(page.locator('[data-state=shortlisted]')).toBeVisible();
  await mailed(request, staying.email, '“A gig” was removed');
  await desk.context().close();
});

test('the reporter and then the reported agency leave before the decision', async ({ page, request }) => {
  const agency = await agencyWithGig(request);
  const [leaving, staying] = await Promise.all([verifiedInfluencer(request), verifiedInfluencer(request)]);
  for (const { headers } of [leaving, staying]) {
    const report = { kind: 'gig', subject_id: agency.gigId, reason: 'scam', text: 'They want RM 200.' };
    const answer = await request.post('/rest/v1/reports', { headers, data: report });
    expect(answer.status(), await answer.text()).toBe(201);
  }
  await startSession(page, await newStaff(request));
  await page.goto('/admin/reports?kind=gig');
  await page.getByRole('link', { name: agency.title }).first().click();
  await page.getByRole('button', { name: 'Take report' }).click();
  await page.getByLabel('Note').fill('Advance-fee fraud.');
  await page.getByRole('checkbox', { name: /^Close the gig/ }).check();
  const others = page.getByRole('region', { name: 'Other reports about this gig' });

  await deleteAccount(request, leaving.userId);
  await page.reload();
  await expect(page.getByText('Former member', { exact: true })).toBeVisible();
  await expect(page.getByText(leaving.email)).toHaveCount(0);

  await deleteAccount(request, agency.userId);
  await page.reload();
  await expect(page.getByText(/^It was deleted\. This is how it was on/)).toBeVisible();
  await expect(page.getByLabel('Note')).toHaveValue('Advance-fee fraud.');
  await page.getByRole('button', { name: 'Uphold' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Uphold' }).click();
  await expect(page.getByRole('heading', { name: 'Upheld' })).toBeVisible();

  await others.getByRole('link').click();
  await expect(page.getByText(staying.email)).toBeVisible();
  await page.getByRole('button', { name: 'Take report' }).click();
  await page.getByLabel('Note').fill('The account is gone.');
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Dismiss' }).click();
  await mailed(request, staying.email, 'We decided about your report');
});

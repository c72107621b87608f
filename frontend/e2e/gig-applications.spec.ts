// Influencers apply for a gig, and its agency decides, in several browsers.
import { expect, type Page } from '@playwright/test';
import { expectAccessibleInBoth, expectNoSidewaysScroll } from './accessibility';
import { type Caller, changeAsAdmin, deleteAsAdmin, signedIn, startSession, verifiedInfluencer } from './accounts';
import type { Api } from './api';
import { eventually } from './eventually';
import { agencyWithGig, applies, PITCH } from './gigs';
import { mailsTo } from './mailbox';
import { demo } from './people';
import { test } from './test';

const WIDTHS = [320, 360, 390, 1024, 1440];

const subjectsTo = async (request: Api, address: string) =>
  (await mailsTo(request, address)).map(({ subject }) => subject);

async function openAs(page: Page, caller: Caller, path: string) {
  await startSession(page, caller);
  await page.goto(path);
}

test('an influencer applies, the agency fills the only place, and all others are notified', async ({
  page,
  browser,
  request,
}) => {
  const agency = await agencyWithGig(request, { places: 1, budget: 'RM 1,500' });
  const title = `Hosts for ${agency.name}`;
  const [nadia, rival] = await Promise.all([verifiedInfluencer(request), verifiedInfluencer(request)]);

  // From the list to the gig, with a draft that survives a reload.
  await openAs(page, nadia, '/gigs');
  const card = page.getByRole('article').filter({ hasText: title });
  await card.getByRole('link', { name: `View Details of ${title}` }).click();
  await expect(page).toHaveURL(`/gigs/${agency.gigId}`);
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
  await expect(page.getByText('Never pay to get work.')).toBeVisible();
  await page.getByLabel('Why you?').fill(PITCH);
  await page.reload();
  await expect(page.getByLabel('Why you?')).toHaveValue(PITCH);
  await page.getByLabel('Your quote in RM').fill('1,500');
  await expectAccessibleInBoth(page);
  await expectNoSidewaysScroll(page, WIDTHS);
  await page.getByRole('button', { name: 'Send application' }).dblclick();
  await expect(page.getByRole('heading', { name: 'Your application' })).toBeVisible();
  await applies(request, rival, agency.gigId);

  // The agency sees both, and decides with the keyboard.
  const desk = await browser.newPage();
  await openAs(desk, agency, '/agency-dashboard?tab=gigs');
  await desk.getByRole('link', { name: `2 applicants, 2 new for ${title}` }).click();
  await expect(desk).toHaveURL(`/gigs/${agency.gigId}/applicants`);
  const column = (name: string) => desk.getByRole('region', { name, exact: true });
  await expect(column('Applied').getByRole('listitem')).toHaveCount(2);
  await column('Applied').getByRole('button', { name: nadia.name }).focus();
  await desk.keyboard.press('Enter');
  const panel = desk.getByRole('complementary', { name: 'Applicant' });
  await expect(panel.getByText('RM 1,500')).toBeVisible();
  await expect(panel.getByText(PITCH)).toBeVisible();
  await panel.getByRole('button', { name: 'Shortlist' }).press('Enter');
  await expect(column('Shortlisted').getByRole('button', { name: nadia.name })).toBeVisible();
  await expectAccessibleInBoth(desk);
  await expectNoSidewaysScroll(desk, WIDTHS);
  await panel.getByRole('button', { name: 'Accept' }).click();
  await desk.getByRole('alertdialog').getByRole('button', { name: 'Accept' }).click();
  await expect(column('Accepted').getByRole('button', { name: nadia.name })).toBeVisible();
  await expect(desk.getByText('1 of 1 place taken')).toBeVisible();

  // The influencer reads it on the page and in an e-mail, whose link leads to the agency.
  await page.reload();
  await expect(page.getByText('The agency wants to work with you.')).toBeVisible();
  const mail = await eventually(async () => {
    const found = (await mailsTo(request, nadia.email)).find(({ subject }) => subject.includes('accepted'));
    expect(found?.subject).toBe(`${agency.name} accepted your application for “${title}”`);
    return found;
  });
  expect(new URL(mail?.link ?? '').pathname).toBe(`/agency/${agency.id}`);

  // The other applicant is notified that the gig is full, and nobody can apply.
  await eventually(async () => expect(await subjectsTo(request, rival.email)).toContain(`“${title}” is full`));
  const late = await verifiedInfluencer(request);
  const visitor = await browser.newPage();
  await openAs(visitor, late, `/gigs/${agency.gigId}`);
  await expect(visitor.getByRole('heading', { name: 'All places are taken' })).toBeVisible();

  // Applicants keep their application when they lose the badge, and when the gig is deleted.
  await changeAsAdmin(request, nadia.userId, { badge_type: 'none' });
  await page.goto('/applications');
  await expect(page.getByRole('heading', { level: 3, name: title })).toBeVisible();
  await expect(page.getByText('Accepted')).toBeVisible();
  await expectAccessibleInBoth(page);
  await expectNoSidewaysScroll(page, WIDTHS);
  await request.delete(`/rest/v1/gigs?id=eq.${agency.gigId}`, { headers: agency.headers });
  await page.reload();
  await expect(page.getByText('This gig was removed')).toBeVisible();
  await eventually(async () => expect(await subjectsTo(request, rival.email)).toContain(`“${title}” was removed`));
  for (const account of [nadia, rival, late]) await deleteAsAdmin(request, account.userId);
  await Promise.all([desk.close(), visitor.close()]);
});

test('several are declined at once, one withdraws, and a deleted account leaves a former member', async ({
  page,
  browser,
  request,
}) => {
  const agency = await agencyWithGig(request, {});
  const people = await Promise.all([1, 2, 3, 4].map(() => verifiedInfluencer(request)));
  for (const person of people) await applies(request, person, agency.gigId);
  const [first, second, third, fourth] = people as [Caller & { name: string }, ...typeof people];

  const own = await browser.newPage();
  await openAs(own, third as Caller, '/applications');
  await own.getByRole('button', { name: 'Withdraw' }).click();
  await own.getByRole('button', { name: 'Withdraw application' }).click();
  await expect(own.getByText('Application withdrawn')).toBeVisible();
  await deleteAsAdmin(request, (fourth as Caller).userId);

  await page.setViewportSize({ width: 390, height: 844 });
  await openAs(page, agency, `/gigs/${agency.gigId}/applicants`);
  for (const { name } of [first, second as { name: string }]) await page.getByLabel(`Select ${name}`).check();
  await page.getByRole('button', { name: 'Decline 2' }).click();
  const question = page.getByRole('alertdialog', { name: 'Decline 2 applicants?' });
  await question.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Decline 2' }).click();
  await question.getByRole('button', { name: 'Decline 2' }).click();
  await expect(page.getByText('Declined 2 of 2 applicants')).toBeVisible();
  const ended = page.getByRole('region', { name: 'Declined or withdrawn' });
  await expect(ended.getByRole('listitem')).toHaveCount(4);
  await ended.getByRole('button', { name: 'Former member' }).click();
  const sheet = page.getByRole('dialog', { name: 'Former member' });
  await expect(sheet.getByText('This account was deleted.')).toBeVisible();
  await expectAccessibleInBoth(page);
  for (const person of people) await deleteAsAdmin(request, person.userId);
  await own.close();
});

test('the demo influencer has an application in each state', async ({ page, request }) => {
  await openAs(page, await signedIn(request, demo('influencer')), '/applications');
  for (const state of ['applied', 'shortlisted', 'accepted', 'declined', 'withdrawn', 'cancelled', 'completed']) {
    await expect(page.locator(`[data-state=${state}]`).first()).toBeVisible();
  }
});

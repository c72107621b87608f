// Reports with several people: a verified influencer reports a gig, an admin takes it, upholds it and closes the gig.
import assert from 'node:assert/strict';
import { expect } from '@playwright/test';
import { expectAccessibleInBoth, expectNoSidewaysScroll } from './accessibility';
import { startSession, verifiedInfluencer } from './accounts';
import { eventually } from './eventually';
import { agencyWithGig } from './gigs';
import { mailsTo } from './mailbox';
import { PASSWORD } from './people';
import { browserOf, newStaff, openAs, rowOf } from './staff';
import { test } from './test';

const WIDTHS = [360, 390, 768, 1024, 1440];

test('a gig is reported, taken, upheld and closed, and both sides are notified', async ({ page, request, browser }) => {
  const agency = await agencyWithGig(request, { description: 'Two days on stage. Paid on the day.' });
  const influencer = await verifiedInfluencer(request);
  await startSession(page, influencer);
  await page.goto('/gigs');
  await expect(page.getByText('Never pay to get work.')).toBeVisible();
  const gig = page.getByRole('article').filter({ hasText: agency.title });
  await gig.getByRole('link', { name: `Report ${agency.title}` }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Report this gig' })).toBeVisible();
  await expect(page.getByText(agency.title)).toBeVisible();
  await expectNoSidewaysScroll(page, WIDTHS);
  await expectAccessibleInBoth(page);
  await page.getByRole('button', { name: 'Send report' }).click();
  await expect(page.getByText('Choose a reason')).toBeVisible();
  await page.getByRole('radio', { name: /^Asks for money/ }).check();
  await page.getByLabel('What happened?').fill('They want RM 200 before the briefing.');
  await page.reload();
  await expect(page.getByLabel('What happened?')).toHaveValue('They want RM 200 before the briefing.');
  await expect(page.getByRole('radio', { name: /^Asks for money/ })).toBeChecked();
  await page.getByRole('button', { name: 'Send report' }).click();
  await expect(page.getByRole('heading', { name: 'Thank you for your report' })).toBeVisible();
  await page.goto(`/report/gig/${agency.gigId}`);
  await expect(page.getByRole('heading', { name: 'You already reported this gig' })).toBeVisible();

  const admin = await newStaff(request);
  const desk = await browserOf(browser, admin);
  await desk.goto('/admin');
  await desk.getByRole('link', { name: /^Reports/ }).click();
  await expect(rowOf(desk, agency.title)).toContainText('Asks for money');
  await expectNoSidewaysScroll(desk, WIDTHS);
  await expectAccessibleInBoth(desk);
  await desk.getByRole('link', { name: agency.title }).click();
  await expect(desk.getByText('They want RM 200 before the briefing.')).toBeVisible();
  await expect(desk.getByText(influencer.email)).toBeVisible();
  await desk.keyboard.press('t');
  await expect(desk.getByText(`Taken by ${admin.email}`)).toBeVisible();
  await desk.getByLabel('Note').fill('Advance-fee fraud.');
  await desk.getByRole('checkbox', { name: /^Close the gig/ }).check();
  await expectNoSidewaysScroll(desk, WIDTHS);
  await expectAccessibleInBoth(desk);
  await desk.getByRole('button', { name: 'Uphold' }).click();
  await desk.getByRole('alertdialog').getByRole('button', { name: 'Uphold' }).click();
  await expect(desk.getByRole('heading', { name: 'Upheld' })).toBeVisible();
  await expect(desk.getByText('Advance-fee fraud.')).toBeVisible();

  await page.goto('/gigs');
  await expect(page.getByRole('article').first()).toBeVisible();
  await expect(page.getByRole('article').filter({ hasText: agency.title })).toHaveCount(0);
  await page.goto(`/report/gig/${agency.gigId}`);
  await expect(page.getByRole('heading', { name: 'There is nothing to report' })).toBeVisible();
  for (const [email, template] of [
    [influencer.email, 'report_decided'],
    [agency.email, 'content_moderated'],
  ] as const) {
    await eventually(async () => {
      const mail = (await mailsTo(request, email)).find((one) => one.template === template);
      assert.ok(mail, `${template} to ${email}`);
      assert.ok(mail.html.includes(agency.title));
      assert.ok(!mail.html.includes('Advance-fee fraud.'), 'the note is for admins');
    });
  }
});

test('a gig with suspicious words is queued, and stays visible', async ({ page, request }) => {
  const agency = await agencyWithGig(request, { description: 'Send a refundable deposit to t.me/hosts first.' });
  await openAs(page, await newStaff(request), '/admin/reports?kind=gig');
  const row = rowOf(page, agency.title);
  await expect(row).toContainText('Suspicious words');
  await expect(row).toContainText('t.me/hosts');
  await row.getByRole('link', { name: agency.title }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByText('Serasi, because of these words')).toBeVisible();
  const influencer = await verifiedInfluencer(request);
  const answer = await request.get(`/rest/v1/gigs?id=eq.${agency.gigId}`, { headers: influencer.headers });
  expect(await answer.json()).toHaveLength(1);
});

test('a visitor signs in first, and comes back to the form', async ({ page, request }) => {
  const agency = await agencyWithGig(request, { description: 'Paid on the day.' });
  const influencer = await verifiedInfluencer(request);
  await page.goto(`/agency/${agency.id}`);
  await page.getByRole('link', { name: `Report ${agency.name}` }).click();
  await expect(page.getByRole('heading', { name: 'Sign in to report this agency' })).toBeVisible();
  await expectNoSidewaysScroll(page, WIDTHS);
  await page.getByRole('link', { name: 'Influencer Login' }).click();
  await page.getByLabel('E-mail').fill(influencer.email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign In' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Report this agency' })).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`/report/agency/${agency.id}$`));
});

test('only admins see the reports', async ({ page, request }) => {
  await openAs(page, await verifiedInfluencer(request), '/admin/reports');
  await expect(page).toHaveURL(/\/admin\/login$/);
});

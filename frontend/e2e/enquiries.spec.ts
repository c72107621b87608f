// From a brand that has never been here to an answer: a guest confirms by mail, the influencer accepts, both see each
// other's address. And an agency with an account, whose enquiry is declined.
import { expect, type Page } from '@playwright/test';
import { expectAccessible } from './accessibility';
import { changeAsAdmin, deleteAsAdmin, newInfluencer, startSession } from './accounts';
import { newAgency, withRecord } from './businesses';
import { linkTo } from './mailbox';
import { somebodyNew } from './people';
import { test } from './test';

const MESSAGE = 'We open a cafe in Butterworth next month. Would you come for a morning?';

async function approvedInfluencer(request: Parameters<typeof newInfluencer>[0]) {
  const influencer = await newInfluencer(request);
  await changeAsAdmin(request, influencer.userId, { approved: true });
  return influencer;
}

async function write(page: Page, name: string) {
  await page.getByRole('link', { name: 'Enquire' }).click();
  await expect(page.getByRole('heading', { name: `Write to ${name}` })).toBeVisible();
  await page.getByLabel('Deliverables').fill('One reel about our cafe');
  await page.getByLabel('Budget from (RM)').fill('1,500');
  await page.getByLabel('Message').fill(MESSAGE);
}

test('a guest writes, confirms by mail and gets an answer', async ({ page, browser, request }) => {
  const influencer = await approvedInfluencer(request);
  const guest = somebodyNew();
  await page.goto(`/profile/${influencer.profileId}`);
  await write(page, influencer.name);
  await page.reload();
  await expect(page.getByLabel('Message')).toHaveValue(MESSAGE);
  await page.getByRole('button', { name: 'Send enquiry' }).click();
  await expect(page.getByText('Enter your name')).toBeVisible();
  await page.getByLabel('Your name').fill(guest.name);
  await page.getByLabel('Your e-mail').fill(guest.email);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Send enquiry' }).click();
  await expect(page.getByRole('heading', { name: 'Check your e-mail' })).toBeVisible();

  const reader = await browser.newPage();
  await startSession(reader, influencer);
  await reader.goto('/enquiries');
  await expect(reader.getByText('No enquiries yet')).toBeVisible();

  const link = await linkTo(request, guest.email);
  await page.goto(link);
  await expect(page.getByText('Nothing is sent yet')).toBeVisible();
  await reader.reload();
  await expect(reader.getByText('No enquiries yet')).toBeVisible();
  await page.getByRole('button', { name: 'Confirm and send' }).click();
  await expect(page.getByRole('heading', { name: 'Your enquiry' })).toBeVisible();

  await reader.reload();
  await reader.getByRole('link', { name: guest.name }).click();
  await expect(reader.getByText(MESSAGE)).toBeVisible();
  await expect(reader.getByText(guest.email)).toBeHidden();
  await reader.getByLabel('Text').fill('Gladly, on a Saturday.');
  await reader.getByRole('button', { name: 'Accept' }).click();
  await reader.getByRole('alertdialog').getByRole('button', { name: 'Accept' }).click();
  await expect(reader.getByText(guest.email)).toBeVisible();
  await expectAccessible(reader);

  await page.reload();
  await expect(page.getByText('Gladly, on a Saturday.')).toBeVisible();
  await expect(page.getByText(influencer.email)).toBeVisible();
  await deleteAsAdmin(request, influencer.userId);
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Former member' })).toBeVisible();
});

test('an agency writes to two favorites at once, one declines, the other is withdrawn', async ({
  page,
  browser,
  request,
}) => {
  const agency = await withRecord(request, 'agencies', await newAgency(request));
  const [first, second] = [await approvedInfluencer(request), await approvedInfluencer(request)];
  await startSession(page, agency);
  for (const { profileId } of [first, second]) {
    await page.goto(`/profile/${profileId}`);
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByRole('button', { name: 'Saved' })).toBeVisible();
  }
  await page.goto('/favorites');
  await page.getByRole('link', { name: 'Send one brief to all' }).click();
  await page.getByLabel('Deliverables').fill('A reel each');
  await page.getByLabel('Message').fill(MESSAGE);
  await page.getByRole('button', { name: 'Send to 2' }).click();
  await expect(page.getByRole('heading', { name: 'Enquiry sent' })).toBeVisible();
  await expect(page.getByText('You can send 4 more enquiries today.')).toBeVisible();

  const reader = await browser.newPage({ viewport: { width: 390, height: 844 } });
  await startSession(reader, first);
  await reader.goto('/enquiries');
  await reader.getByRole('link', { name: agency.name }).click();
  await reader.getByLabel('Text').fill('I am away in May.');
  await reader.getByRole('button', { name: 'Decline' }).click();
  await reader.getByRole('alertdialog').getByRole('button', { name: 'Decline' }).click();
  await expect(reader.getByText('Declined').first()).toBeVisible();

  await page.getByRole('link', { name: 'See the enquiries' }).click();
  await page.getByRole('link', { name: second.name }).click();
  await page.getByRole('button', { name: 'Withdraw' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Withdraw' }).click();
  await expect(page.getByText('Enquiry withdrawn')).toBeVisible();
  await page.getByRole('link', { name: 'Enquiries' }).first().click();
  await page.getByRole('button', { name: 'Declined' }).click();
  await page.getByRole('link', { name: first.name }).click();
  await expect(page.getByText('I am away in May.')).toBeVisible();
  await deleteAsAdmin(request, first.userId);
  await deleteAsAdmin(request, second.userId);
});

// An agency with an account writes to its favorites. journey-enquiry.spec.ts is about guests.
import { expect } from '@playwright/test';
import { approvedInfluencer, deleteAsAdmin, startSession } from './accounts';
import { newAgency, withRecord } from './businesses';
import { test } from './test';

const MESSAGE = 'We open a cafe in Butterworth next month. Would you come for a morning?';

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

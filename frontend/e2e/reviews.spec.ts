// Two sides of a collaboration in two browsers: they complete it, review each other and reply. journey-enquiry.spec.ts
// has the average, and a guest's review.
import { expect } from '@playwright/test';
import { expectAccessibleInBoth, expectNoSidewaysScroll } from './accessibility';
import { changeAsAdmin, newInfluencer, signedIn, startSession } from './accounts';
import { newAgency, withRecord } from './businesses';
import { beganDaysAgo, collaborate, complete, PRAISE, review } from './collaborations';
import { mailed } from './mailbox';
import { demo } from './people';
import { test } from './test';

test('both sides complete their work and review each other', async ({ page, browser, request }) => {
  const influencer = await newInfluencer(request);
  await changeAsAdmin(request, influencer.userId, { approved: true });
  const agency = await withRecord(request, 'agencies', await newAgency(request));
  const id = await collaborate(request, influencer.profileId, agency);
  await beganDaysAgo(influencer.profileId);
  const other = await (await browser.newContext()).newPage();
  await startSession(page, influencer);
  await startSession(other, agency);

  await test.step('the influencer completes, the agency confirms', async () => {
    await complete(page);
    await expect(page.getByText(`Completed. Waiting for ${agency.name}.`)).toBeVisible();
    await expect(page.getByText(/^You marked it as completed on .* it’s completed on/)).toBeVisible();
    await expect(page.getByRole('link', { name: agency.email })).toBeVisible();
    await mailed(request, agency.email, `${influencer.name} says that your work is completed`);
    await complete(other);
    await expect(other.getByText('Collaboration completed')).toBeVisible();
  });

  await test.step('the agency writes: nobody reads it yet', async () => {
    await other.getByRole('link', { name: 'Write a review' }).click();
    await expect(other.getByRole('heading', { level: 1, name: `How was ${influencer.name}?` })).toBeVisible();
    await expectAccessibleInBoth(other);
    await other.getByLabel('Your review').fill(PRAISE);
    await other.reload();
    await expect(other.getByLabel('Your review')).toHaveValue(PRAISE);
    await review(other, '4 stars, Very good', PRAISE);
    await page.goto(`/profile/${influencer.profileId}`);
    await page.getByRole('tab', { name: 'Review 0' }).click();
    await expect(page.getByText('No reviews yet. Be the first to leave a review!')).toBeVisible();
  });

  await test.step('the influencer writes: both are published, and the influencer replies', async () => {
    await page.goto(`/review/${id}`);
    await page.getByRole('radio', { name: 'Yes' }).check();
    await review(page, '5 stars, Excellent', 'A clear brief, and they paid on the day of the upload.');
    await page.goto(`/profile/${influencer.profileId}?tab=review`);
    await expect(page.getByText(PRAISE)).toBeVisible();
    await page.getByRole('button', { name: 'Reply' }).click();
    await page.getByRole('dialog').getByLabel('Reply').fill('Any time again!');
    await page.getByRole('dialog').getByRole('button', { name: 'Send reply' }).click();
    await expect(page.getByText(`Reply from ${influencer.name}`)).toBeVisible();
    await expectAccessibleInBoth(page);
    await other.goto(`/agency/${agency.id}`);
    await expect(other.getByText('Paid on time')).toBeVisible();
    await expect(other.getByRole('link', { name: influencer.name, exact: true })).toBeVisible();
  });
  await other.context().close();
});

test('one side cancels with a reason, which the other one reads', async ({ page, browser, request }) => {
  const influencer = await newInfluencer(request);
  const agency = await withRecord(request, 'agencies', await newAgency(request));
  const id = await collaborate(request, influencer.profileId, agency);
  await startSession(page, influencer);
  await page.goto('/collaborations');
  await page.getByRole('button', { name: 'Cancel collaboration' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Reason').fill('The dates do not fit.');
  await dialog.getByRole('button', { name: 'Cancel collaboration' }).click();
  await expect(page.getByText('Collaboration cancelled')).toBeVisible();
  const other = await (await browser.newContext()).newPage();
  await startSession(other, agency);
  await other.goto('/collaborations');
  await expect(other.getByText(`Cancelled by ${influencer.name}`)).toBeVisible();
  await expect(other.getByText('Reason: The dates do not fit.')).toBeVisible();
  await other.goto(`/review/${id}`);
  await expect(other.getByRole('heading', { level: 1, name: 'This collaboration was cancelled' })).toBeVisible();
  await other.context().close();
});

test('the demo accounts see collaborations in each state, at every width', async ({ page, request }) => {
  await startSession(page, await signedIn(request, demo('influencer')));
  await page.goto('/collaborations');
  for (const state of ['In progress', 'Completed', 'Cancelled']) {
    await expect(page.getByText(state, { exact: true }).first()).toBeVisible();
  }
  await expectAccessibleInBoth(page);
  await expectNoSidewaysScroll(page, [360, 390, 1024, 1440]);
});

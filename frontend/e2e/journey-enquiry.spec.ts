// From a brand that has never been here to a rating, with the brand and the influencer in two browsers: a guest writes,
// confirms by mail and is accepted; both complete the work and review each other.
import { expect, type Page } from '@playwright/test';
import { expectAccessible } from './accessibility';
import { approvedInfluencer, deleteAccount, startSession } from './accounts';
import { beganDaysAgo, complete, earlierReviews, PRAISE, review } from './collaborations';
import { linkTo } from './mailbox';
import { somebodyNew } from './people';
import { test } from './test';

const MESSAGE = 'We open a cafe in Butterworth next month. Would you come for a morning?';

async function write(
  page: Page,
  influencer: { name: string; profileId: string },
  guest: { name: string; email: string },
) {
  await page.goto(`/profile/${influencer.profileId}`);
  await page.getByRole('link', { name: 'Enquire' }).click();
  await expect(page.getByRole('heading', { name: `Write to ${influencer.name}` })).toBeVisible();
  await page.getByLabel('Deliverables').fill('One reel about our cafe');
  await page.getByLabel('Budget from (RM)').fill('1,500');
  await page.getByLabel('Message').fill(MESSAGE);
  await page.reload();
  await expect(page.getByLabel('Message')).toHaveValue(MESSAGE);
  await page.getByRole('button', { name: 'Send enquiry' }).click();
  await expect(page.getByText('Enter your name')).toBeVisible();
  await page.getByLabel('Your name').fill(guest.name);
  await page.getByLabel('Your e-mail').fill(guest.email);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Send enquiry' }).click();
  await expect(page.getByRole('heading', { name: 'Check your e-mail' })).toBeVisible();
}

async function accept(reader: Page, guest: { name: string; email: string }) {
  await reader.reload();
  await reader.getByRole('link', { name: guest.name }).click();
  await expect(reader.getByText(MESSAGE)).toBeVisible();
  await expect(reader.getByText(guest.email)).toBeHidden();
  await reader.getByLabel('Text').fill('Gladly, on a Saturday.');
  await reader.getByRole('button', { name: 'Accept' }).click();
  await reader.getByRole('alertdialog').getByRole('button', { name: 'Accept' }).click();
  await expect(reader.getByText(guest.email)).toBeVisible();
  await expectAccessible(reader);
}

test('a guest and an influencer find each other, work together, and review it', async ({ page, browser, request }) => {
  const [influencer, guest] = [await approvedInfluencer(request), somebodyNew()];
  await earlierReviews(influencer.profileId, [3, 4]);
  const reader = await (await browser.newContext()).newPage();
  await startSession(reader, influencer);

  await test.step('the guest writes, and nothing is sent before the address is confirmed', async () => {
    await write(page, influencer, guest);
    await reader.goto('/enquiries');
    await expect(reader.getByText('No enquiries yet')).toBeVisible();
    await page.goto(await linkTo(request, guest.email));
    await expect(page.getByText('Nothing is sent yet')).toBeVisible();
    await reader.reload();
    await expect(reader.getByText('No enquiries yet')).toBeVisible();
    await page.getByRole('button', { name: 'Confirm and send' }).click();
    await expect(page.getByRole('heading', { name: 'Your enquiry' })).toBeVisible();
  });

  await test.step('the influencer accepts, and both see each other’s address', async () => {
    await accept(reader, guest);
    await page.reload();
    await expect(page.getByText('Gladly, on a Saturday.')).toBeVisible();
    await expect(page.getByText(influencer.email)).toBeVisible();
    await beganDaysAgo(influencer.profileId);
  });

  const phone = await (await browser.newContext({ viewport: { width: 390, height: 844 } })).newPage();
  await test.step('the influencer completes, and the guest’s review confirms it', async () => {
    await complete(reader);
    await expect(reader.getByText(`Completed. Waiting for ${guest.name}.`)).toBeVisible();
    await expect(reader.getByRole('link', { name: guest.email })).toBeVisible();
    await phone.goto(await linkTo(request, guest.email, 'guest_review'));
    await expect(phone.getByRole('heading', { level: 1, name: `How was ${influencer.name}?` })).toBeVisible();
    await expectAccessible(phone);
    await reader.reload();
    await expect(reader.getByText('In progress')).toBeVisible();
    await review(phone, '5 stars, Excellent', PRAISE);
  });

  await test.step('nobody reads the review before the influencer has written one', async () => {
    await page.goto(`/search?q=${encodeURIComponent(influencer.name)}`);
    await expect(page.getByRole('article').getByText(influencer.name)).toBeVisible();
    await expect(page.getByText('out of 5')).toHaveCount(0);
    await reader.reload();
    await reader.getByRole('link', { name: 'Write a review' }).click();
    await review(reader, '4 stars, Very good', 'A short brief, and a quick payment.');
  });

  await test.step('the third review gives an average, on the card of the list and on the profile', async () => {
    await page.reload();
    await expect(page.getByRole('article').getByText('Rated 4.0 out of 5, (3)3 reviews')).toBeVisible();
    await page.getByRole('article').getByRole('link', { name: influencer.name }).click();
    await page.getByRole('tab', { name: 'Review 3' }).click();
    await expect(page.getByRole('heading', { level: 3, name: 'Client' })).toHaveCount(3);
    await expect(page.getByText(PRAISE)).toHaveCount(3);
  });

  await test.step('the influencer leaves, and the guest keeps the enquiry', async () => {
    await deleteAccount(request, influencer.userId);
    await page.goto(await linkTo(request, guest.email, 'guest_enquiry_answered'));
    await expect(page.getByRole('heading', { name: 'Former member' })).toBeVisible();
    await expect(page.getByText('Gladly, on a Saturday.')).toBeVisible();
    await expect(page.getByText(influencer.email)).toHaveCount(0);
  });
  await Promise.all([reader.context().close(), phone.context().close()]);
});

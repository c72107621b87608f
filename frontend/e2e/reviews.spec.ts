// Two sides of a collaboration in two browsers: they complete it, review each other and reply.
import assert from 'node:assert/strict';
import { expect, type Page } from '@playwright/test';
import { expectAccessibleInBoth, expectNoSidewaysScroll } from './accessibility';
import { changeAsAdmin, newInfluencer, publicKey, serviceHeaders, signedIn, startSession } from './accounts';
import type { Api } from './api';
import { newAgency, withRecord } from './businesses';
import { eventually } from './eventually';
import { linkTo, mailsTo } from './mailbox';
import { demo, somebodyNew } from './people';
import { test } from './test';

const PRAISE = 'Everything was on time, and better than planned.';

/** As if an application had been accepted. */
async function collaborate(
  request: Api,
  influencerId: string,
  agency: { id: string; userId: string },
  more: object = {},
) {
  const answer = await request.post('/rest/v1/collaborations', {
    headers: { ...serviceHeaders(), Prefer: 'return=representation' },
    data: {
      source: 'application',
      title: 'Reel for a night market',
      influencer_id: influencerId,
      client_user_id: agency.userId,
      agency_id: agency.id,
      ...more,
    },
  });
  expect(answer.status()).toBe(201);
  const [row] = await answer.json();
  return row.id as string;
}

async function complete(page: Page) {
  await page.goto('/collaborations');
  await page.getByRole('button', { name: 'Mark as completed' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Mark as completed' }).click();
}

async function review(page: Page, star: string, text: string) {
  await page.getByRole('radio', { name: star }).check({ force: true });
  await page.getByLabel('Your review').fill(text);
  await page.getByRole('button', { name: 'Send review' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Thank you for your review' })).toBeVisible();
}

test('both sides complete their work and review each other; the average follows', async ({
  page,
  browser,
  request,
}) => {
  const influencer = await newInfluencer(request);
  await changeAsAdmin(request, influencer.userId, { approved: true });
  const agency = await withRecord(request, 'agencies', await newAgency(request));
  const id = await collaborate(request, influencer.profileId, agency);
  const other = await (await browser.newContext()).newPage();
  await startSession(page, influencer);
  await startSession(other, agency);

  await test.step('the influencer completes, the agency confirms', async () => {
    await complete(page);
    await expect(page.getByText(`Completed. Waiting for ${agency.name}.`)).toBeVisible();
    await expect(page.getByText(/^You marked it as completed on .* it’s completed on/)).toBeVisible();
    await expect(page.getByRole('link', { name: agency.email })).toBeVisible();
    const [mail] = await mailsTo(request, agency.email);
    expect(mail?.subject).toBe(`${influencer.name} says that your work is completed`);
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

  await test.step('with three clients there is an average on card and profile', async () => {
    await expect(page.getByText('out of 5,')).toHaveCount(0);
    const ended = new Date(Date.now() - 60_000).toISOString();
    for (const rating of [3, 5]) {
      const client = await withRecord(request, 'agencies', await newAgency(request));
      const done = { state: 'completed', influencer_completed_at: ended, completed_at: ended };
      const work = await collaborate(request, influencer.profileId, client, done);
      for (const { headers } of [client, influencer]) {
        const data = { collaboration_id: work, rating, text: PRAISE };
        expect((await request.post('/rest/v1/reviews', { headers, data })).status()).toBe(201);
      }
    }
    await page.goto(`/search?q=${encodeURIComponent(influencer.name)}`);
    await expect(page.getByRole('article').getByText('Rated 4.0 out of 5, (3)3 reviews')).toBeVisible();
    await page.goto(`/profile/${influencer.profileId}`);
    await expect(page.getByRole('tab', { name: 'Review 3' })).toBeVisible();
  });
  await other.context().close();
});

test('a guest reviews with the link of a mail, without an account', async ({ page, browser, request }) => {
  const influencer = await newInfluencer(request);
  await changeAsAdmin(request, influencer.userId, { approved: true });
  const guest = somebodyNew();
  const apikey = await publicKey(request);
  const visitor = { apikey, Authorization: `Bearer ${apikey}` };
  const post = async (path: string, headers: Record<string, string>, data: object) => {
    const answer = await request.post(path, { headers, data });
    expect(answer.ok(), `${path}: ${await answer.text()}`).toBe(true);
    return answer;
  };

  await test.step('the enquiry is confirmed and accepted', async () => {
    const sent = await post('/functions/v1/enquiries', visitor, {
      influencer_ids: [influencer.profileId],
      deliverables: 'One reel',
      message: 'Would you show our new menu?',
      name: 'Mei',
      email: guest.email,
    });
    const { enquiries } = await sent.json();
    const token = (await linkTo(request, guest.email)).split('/').at(-1);
    await post('/rest/v1/rpc/confirm_enquiry', visitor, { token });
    await post('/rest/v1/rpc/answer_enquiry', influencer.headers, { enquiry_id: enquiries[0].id, accept: true });
  });

  await test.step('the influencer sees how to reach the guest, and completes', async () => {
    await startSession(page, influencer);
    await complete(page);
    await expect(page.getByText('Completed. Waiting for Mei.')).toBeVisible();
    await expect(page.getByRole('link', { name: guest.email })).toBeVisible();
  });

  await test.step('the guest follows the link, which changes nothing by itself, and reviews', async () => {
    const link = await eventually(async () => {
      const mails = await mailsTo(request, guest.email);
      const invitation = mails.find(({ template }) => template === 'guest_review');
      assert.ok(invitation?.link, 'no invitation');
      const { pathname, hash } = new URL(invitation.link);
      return pathname + hash;
    });
    const other = await (await browser.newContext()).newPage();
    await other.goto(link);
    await expect(other.getByRole('heading', { level: 1, name: `How was ${influencer.name}?` })).toBeVisible();
    await expectAccessibleInBoth(other);
    await page.reload();
    await expect(page.getByText('In progress')).toBeVisible();
    await review(other, '5 stars, Excellent', PRAISE);
    await other.context().close();
  });

  await test.step('the influencer reviews, and both are published', async () => {
    await page.reload();
    await page.getByRole('link', { name: 'Write a review' }).click();
    await review(page, '4 stars, Very good', 'A short brief, and a quick payment.');
    await page.goto(`/profile/${influencer.profileId}?tab=review`);
    await expect(page.getByText(PRAISE)).toBeVisible();
    await expect(page.getByRole('heading', { level: 3, name: 'Client' })).toBeVisible();
  });
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

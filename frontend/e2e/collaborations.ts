// Collaborations of two parties, and their reviews.
import { expect, type Page } from '@playwright/test';
import pg from 'pg';
import { serviceHeaders } from './accounts';
import type { Api } from './api';

export const PRAISE = 'Everything was on time, and better than planned.';

/** Adds a collaboration as if an application had been accepted. */
export async function collaborate(
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

export async function complete(page: Page) {
  await page.goto('/collaborations');
  await page.getByRole('button', { name: 'Mark as completed' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Mark as completed' }).click();
}

export async function review(page: Page, star: string, text: string) {
  await page.getByRole('radio', { name: star }).check({ force: true });
  await page.getByLabel('Your review').fill(text);
  await page.getByRole('button', { name: 'Send review' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Thank you for your review' })).toBeVisible();
}

async function inDatabase(act: (client: pg.Client) => Promise<void>) {
  const client = new pg.Client({ connectionString: process.env.DB_URL });
  await client.connect();
  try {
    await act(client);
  } finally {
    await client.end();
  }
}

/** Only reviews of work that lasted a day count. */
export const beganDaysAgo = (influencerId: string) =>
  inDatabase(async (client) => {
    const earlier =
      "update app.collaborations set created_at = created_at - interval '3 days' where influencer_id = $1";
    await client.query(earlier, [influencerId]);
  });

/** Published reviews by guests of earlier work, added as the database does. */
export const earlierReviews = (influencerId: string, ratings: number[]) =>
  inDatabase(async (client) => {
    for (const rating of ratings) {
      const work = await client.query(
        `insert into app.collaborations (source, title, influencer_id, guest_name, state, created_at, influencer_completed_at, completed_at)
         values ('enquiry', 'Earlier work', $1, 'Earlier client', 'completed', now() - interval '30 days', now() - interval '20 days', now() - interval '20 days')
         returning id`,
        [influencerId],
      );
      const { id } = work.rows[0];
      await client.query(
        `insert into app.reviews (collaboration_id, influencer_id, side, author_key, rating, text, publish_at)
         values ($1::uuid, $2, 'client', $1::uuid::text, $3, $4, now())`,
        [id, influencerId, rating, PRAISE],
      );
      await client.query('select app.publish_reviews($1)', [id]);
    }
  });

// Notifications from the user's side: the bell, the page, the choice of e-mails, and the links in e-mails.
import { expect, type Page } from '@playwright/test';
import pg from 'pg';
import { expectAccessibleInBoth } from './accessibility';
import { newInfluencer, startSession } from './accounts';
import { eventually } from './eventually';
import { mailsTo } from './mailbox';
import { test } from './test';

type Notice = { userId: string; kind: string; subject: number; data: object };

/** Notifies the account, as the database does in the transaction of a change. */
async function notify({ userId, kind, subject, data }: Notice) {
  const client = new pg.Client({ connectionString: process.env.DB_URL });
  await client.connect();
  try {
    const id = `e0000000-0000-4000-8000-${String(subject).padStart(12, '0')}`;
    await client.query('select app.notify($1, $2, $3, $4)', [userId, kind, id, data]);
  } finally {
    await client.end();
  }
}

const enquiry = (userId: string, subject: number, name: string): Notice => ({
  userId,
  kind: 'enquiry_received',
  subject,
  data: { name, path: '/explore' },
});

/** Returning to the page refetches immediately, so that no test waits for a minute. */
async function comeBack(page: Page) {
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })));
}

test('the bell counts, opens the newest and leads to them', async ({ page, request }) => {
  const aina = await newInfluencer(request);
  await notify(enquiry(aina.userId, 1, 'Kopi Satu'));
  await startSession(page, aina);
  await page.goto('/');
  const bell = page.getByRole('banner').getByRole('button', { name: 'Notifications, 1 unread' });
  await expect(bell).toBeVisible();

  await bell.focus();
  await page.keyboard.press('Enter');
  const panel = page.getByRole('dialog', { name: 'Notifications' });
  await expect(panel.getByRole('link', { name: /Kopi Satu sent you an enquiry/ })).toBeVisible();
  await expectAccessibleInBoth(page);
  await page.keyboard.press('Escape');
  await expect(panel).toBeHidden();
  await expect(page.getByRole('button', { name: 'Notifications, 1 unread' })).toBeFocused();

  await notify(enquiry(aina.userId, 2, 'Batik Baru'));
  await comeBack(page);
  await page.getByRole('button', { name: 'Notifications, 2 unread' }).click();
  await panel.getByRole('link', { name: /Batik Baru sent you an enquiry/ }).click();
  await expect(page).toHaveURL(/\/explore$/);
  await expect(page.getByRole('button', { name: 'Notifications, 1 unread' })).toBeVisible();
});

test('on a phone the page marks all as read and keeps the choice of e-mails', async ({ page, request }) => {
  const aina = await newInfluencer(request);
  for (const [subject, name] of [
    [1, 'Kopi Satu'],
    [2, 'Batik Baru'],
  ] as const) {
    await notify(enquiry(aina.userId, subject, name));
  }
  await page.setViewportSize({ width: 360, height: 780 });
  await startSession(page, aina);
  await page.goto('/');
  await page.getByRole('button', { name: 'Notifications, 2 unread' }).click();
  await page.getByRole('link', { name: 'See all and manage e-mails' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Notifications' })).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);

  await page.getByRole('button', { name: 'Mark as read: Batik Baru sent you an enquiry.' }).click();
  await expect(page.getByRole('button', { name: 'Notifications, 1 unread' })).toBeVisible();
  await page.getByRole('button', { name: 'Mark all as read' }).click();
  await expect(page.getByRole('button', { name: 'Notifications', exact: true })).toBeVisible();

  const choice = page.getByRole('combobox', { name: 'A new enquiry for me' });
  await expect(choice).toHaveText('At once');
  await choice.click();
  const saved = page.waitForResponse(/rpc\/set_notification_delivery/);
  await page.getByRole('option', { name: 'Daily at 8 am' }).click();
  expect((await saved).ok()).toBe(true);
  await page.reload();
  await expect(page.getByRole('combobox', { name: 'A new enquiry for me' })).toHaveText('Daily at 8 am');
  await expect(page.getByRole('button', { name: 'Notifications', exact: true })).toBeVisible();
});

test('the link in an e-mail asks first and then stops e-mails like it', async ({ page, request }) => {
  const aina = await newInfluencer(request);
  await notify(enquiry(aina.userId, 1, 'Kopi Satu'));
  const mail = await eventually(async () => {
    const [first] = (await mailsTo(request, aina.email)).filter(({ template }) => template === 'enquiry_received');
    expect(first?.subject).toBe('Kopi Satu sent you an enquiry');
    return first;
  });
  const link = new URL(
    /href="([^"]*\/unsubscribe\?[^"]*)"/.exec(mail?.html ?? '')?.[1]?.replaceAll('&#38;', '&') ?? '',
  );

  // Nobody is signed in, and a scanner that opens the address of mail clients changes nothing.
  await page.goto(`/functions/v1/unsubscribe${link.search}`);
  await expect(page.getByRole('heading', { name: 'Stop these e-mails?' })).toBeVisible();
  await page.goto(link.pathname + link.search);
  await expect(page.getByText('You won’t get e-mails about “A new enquiry for me” anymore.')).toBeVisible();
  await expectAccessibleInBoth(page);
  await page.getByRole('button', { name: 'Unsubscribe' }).click();
  await expect(page.getByText('You are unsubscribed')).toBeVisible();

  await startSession(page, aina);
  await page.goto('/notifications#settings');
  await expect(page.getByRole('combobox', { name: 'A new enquiry for me' })).toHaveText('Never');
});

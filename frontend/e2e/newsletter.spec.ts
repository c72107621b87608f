import { expect, type Page } from '@playwright/test';
import { test } from './test';

const REFUSED = ['me;x@example.test', 'reader@example.test.', `${'a'.repeat(250)}@example.test`, '"me"@example.test'];

const subscriptions = '**/rest/v1/newsletter_subscriptions*';

async function subscribe(page: Page, address: string) {
  const footer = page.getByRole('contentinfo');
  await footer.getByLabel('E-mail').fill(address);
  await footer.getByRole('button', { name: 'Subscribe' }).click();
  return footer.getByRole('status');
}

test('the form rejects the addresses that the database rejects, without a request', async ({ page, request }) => {
  await page.goto('/pricing');
  const apikey = (await page.locator('meta[name=anon-key]').getAttribute('content')) ?? '';
  let asked = 0;
  await page.route(subscriptions, (route) => {
    asked += 1;
    return route.continue();
  });
  for (const email of REFUSED) {
    const answer = await request.post('/rest/v1/newsletter_subscriptions', { headers: { apikey }, data: { email } });
    expect(await answer.json(), email).toMatchObject({ code: '23514' });
    await expect(await subscribe(page, 'reader@example.test')).toHaveText('Thanks for subscribing!');
    await expect(await subscribe(page, email), email).toHaveText('Invalid email address');
  }
  expect(asked, 'sends requests only for valid addresses').toBe(REFUSED.length);
});

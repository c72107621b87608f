import { expect } from '@playwright/test';
import { expectAccessible } from './accessibility';
import { withRows } from './accounts';
import { withoutFirstAnswers } from './first-answers';
import { afterRetry } from './list-controls';
import { test } from './test';

const AISYAH = '/profile/5e7a0002-0000-4000-8000-000000000001';

test('a profile shows the facts, the platforms, the services and the reviews', async ({ page }) => {
  await page.goto(AISYAH);
  await expect(page.getByRole('heading', { level: 1, name: '@aisyah.jalan gold badge' })).toBeVisible();
  await expect(page.getByText('by Aisyah Rahmat')).toBeVisible();
  for (const [fact, value] of [
    ['Location', 'Penang'],
    ['Height', '162 cm'],
    ['Ethnicity', 'Malay'],
    ['Audience', '500K+'],
  ]) {
    await expect(page.getByText(`${fact}${value}`)).toBeVisible();
  }
  const instagram = page.getByRole('link', { name: 'Instagram 128K' });
  await expect(instagram).toHaveAttribute('target', '_blank');
  await expect(instagram).toHaveAttribute('rel', /noopener/);
  await expect(page.getByRole('heading', { name: 'Services I Provide' })).toBeVisible();
  await page.getByRole('tab', { name: /^Review/ }).click();
  await expect(page.getByText('No reviews yet. Be the first to leave a review!')).toBeVisible();
});

test('missing values show a dash, an initial or a sentence', async ({ page }) => {
  const nothing = Object.fromEntries(
    ['bio', 'location', 'age', 'height', 'ethnicity', 'religion', 'profile_image', 'cover_image'].map((key) => [
      key,
      null,
    ]),
  );
  await withRows(page, 'influencers', (row) => ({ ...row, ...nothing, content_posts: [], services: [] }));
  await page.goto(AISYAH);
  await expect(page.getByText('No bio available')).toBeVisible();
  await expect(page.getByText('No content posts available yet.')).toBeVisible();
  await expect(page.getByText('A', { exact: true }).first()).toBeVisible();
  for (const fact of ['Location', 'Age', 'Height', 'Ethnicity', 'Religion']) {
    await expect(page.getByText(`${fact}-`, { exact: true })).toBeVisible();
  }
  await expect(page.getByRole('heading', { name: 'Services I Provide' })).toBeHidden();
});

test('a profile that fails to load shows an error, and is retried', async ({ page }) => {
  await page.clock.install();
  await withoutFirstAnswers(page);
  await page.route('**/rest/v1/influencers?*', (route) => route.abort());
  await page.goto(AISYAH);
  await afterRetry(page, page.getByText('Failed to load influencer profile.').first());
  await expect(page.getByRole('heading', { level: 1, name: "Serasi isn't responding" })).toBeVisible();
  await expectAccessible(page);
  await page.unroute('**/rest/v1/influencers?*');
  // Without pressing Try again.
  await afterRetry(page, page.getByRole('heading', { level: 1, name: '@aisyah.jalan' }));
});

test('below 1024 pixels it asks for a larger screen, and offers the link', async ({ page, context, baseURL }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.setViewportSize({ width: 390, height: 844 });
  // The link is the profile's, without the query and fragment of the current address.
  await page.goto(`${AISYAH}?from=a-friend#main`);
  const profile = page.getByRole('heading', { name: '@aisyah.jalan' });
  for (const width of [360, 1023, 390]) {
    await page.setViewportSize({ width, height: 844 });
    await expect(page.getByRole('heading', { level: 1, name: 'Screen Size Too Small' })).toBeVisible();
    await expect(profile).toBeHidden();
    await expect(page.getByRole('link', { name: 'Back to Explore' })).toHaveAttribute('href', '/');
  }
  // No dead end: the person's card is below the notice.
  const card = page.getByRole('article', { name: 'Aisyah Rahmat' });
  await expect(card.getByRole('link', { name: /^Instagram/ })).toHaveAttribute('href', /^https:/);
  await card.getByRole('button', { name: 'Save' }).click();
  await expect(card.getByRole('button', { name: 'Saved' })).toHaveAttribute('aria-pressed', 'true');
  await page.getByRole('button', { name: 'Copy profile link' }).click();
  await expect(page.getByText('Profile link has been copied to clipboard.')).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(new URL(AISYAH, baseURL).href);
  // On paper the card is alone.
  await page.emulateMedia({ media: 'print' });
  await expect(card.getByRole('link', { name: /^Instagram/ })).toBeVisible();
  await expect(page.getByText('Screen Size Too Small')).toBeHidden();
  await expect(page.getByRole('button')).toHaveCount(0);
  await page.emulateMedia({ media: 'screen' });
  await page.setViewportSize({ width: 1024, height: 844 });
  await expect(profile).toBeVisible();
  await expect(card).toBeHidden();
});

test('Share reports success and failure, but not a canceled share', async ({ page }) => {
  await page.addInitScript(() => {
    Object.defineProperty(navigator, 'share', {
      value: () => (window as unknown as { answer: () => Promise<void> }).answer(),
    });
  });
  await page.goto(AISYAH);
  const answers = async (body: string) => {
    await page.evaluate((text) => {
      Object.assign(window, { answer: new Function(`return ${text}`) });
    }, body);
    await page.getByRole('button', { name: 'Share', exact: true }).click();
  };
  await answers('Promise.reject(new DOMException("cancelled", "AbortError"))');
  await answers('Promise.resolve()');
  await expect(page.getByText('Shared successfully!')).toBeVisible();
  await expect(page.getByText("Aisyah Rahmat's profile has been shared.")).toBeVisible();
  await answers('Promise.reject(new Error("broken"))');
  await expect(page.getByText('Share failed')).toBeVisible();
  await expect(page.getByText('Unable to share this profile.')).toBeVisible();
  // The canceled share showed no toast.
  await expect(page.locator('[data-sonner-toast]')).toHaveCount(2);
});

test('a picture of the work opens in the lightbox; on paper there is only the profile', async ({ page }) => {
  const violations: string[] = [];
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) violations.push(message.text());
  });
  await page.goto(AISYAH);
  await page.getByRole('button', { name: /, 2 of 8$/ }).click();
  const lightbox = page.getByRole('dialog', { name: 'Work by Aisyah Rahmat' });
  await expect(lightbox.getByText('2 of 8', { exact: true })).toBeVisible();
  // The structured data is a script element, but the policy doesn't forbid data.
  const data = await page.locator('script[type="application/ld+json"]').textContent();
  expect(JSON.parse(data ?? '')).toMatchObject({ mainEntity: { name: 'Aisyah Rahmat' } });
  expect(violations).toEqual([]);
  await page.keyboard.press('ArrowRight');
  await expect(lightbox.getByText('3 of 8', { exact: true })).toBeVisible();
  await expect(lightbox.getByRole('img', { name: /, 3 of 8$/ })).toHaveJSProperty('complete', true);
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: /, 3 of 8$/ })).toBeFocused();

  // A page of A4 paper, within its margins.
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  await page.setViewportSize({ width: 688, height: 1000 });
  await expect(page.getByRole('heading', { level: 1, name: '@aisyah.jalan' })).toBeVisible();
  for (const hidden of [
    page.getByRole('banner'),
    page.getByRole('contentinfo'),
    page.getByRole('button', { name: 'Share', exact: true }),
    page.getByText('Screen Size Too Small'),
  ]) {
    await expect(hidden).toBeHidden();
  }
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(688);
  expect(await page.evaluate(() => getComputedStyle(document.body).color)).toBe('rgb(20, 35, 28)');
});

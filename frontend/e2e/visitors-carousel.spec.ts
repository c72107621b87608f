// The featured creators on the home page: when the carousel rotates, and when it stops.
import { expect, type Page } from '@playwright/test';
import { test } from './test';

const carousel = (page: Page) => page.getByRole('region', { name: 'Featured influencers' });

/** Shorter than four rotations, so that a rotating carousel can't return to the same card. */
const SOON = { timeout: 2_000 };

/** The home page with a rotating carousel, on a clock that only `runFor` advances. */
async function openRotating(page: Page) {
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await page.clock.install();
  await page.goto('/');
  await page.getByRole('button', { name: 'Pause rotation' }).click();
  await page.clock.pauseAt(Date.now() + 60_000);
  await page.getByRole('button', { name: 'Start rotation' }).click();
  await page.mouse.move(0, 0);
}

test('four creators rotate and loop, continue after a manual choice, and can be paused', async ({ page }) => {
  await openRotating(page);
  const name = carousel(page).getByRole('heading');
  const seen: string[] = [];
  for (let turn = 0; turn < 5; turn += 1) {
    const now = (await name.textContent()) ?? '';
    seen.push(now);
    await page.clock.runFor(2800);
    await expect(name).not.toHaveText(now);
  }
  expect(new Set(seen).size).toBe(4);
  expect(seen[4]).toBe(seen[0]);
  const shown = await name.textContent();
  await page.getByRole('button', { name: 'Next' }).click();
  await page.mouse.move(0, 0);
  await expect(name).not.toHaveText(shown ?? '');
  const chosen = await name.textContent();
  await page.clock.runFor(2800);
  await expect(name).not.toHaveText(chosen ?? '');
  await page.getByRole('button', { name: 'Pause rotation' }).click();
  await page.getByRole('button', { name: 'Start rotation' }).blur();
  await page.mouse.move(0, 0);
  const stopped = await name.textContent();
  await page.clock.runFor(2800);
  await expect(name).toHaveText(stopped ?? '', SOON);
});

test('it pauses on hover and with reduced motion', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.clock.install();
  await page.goto('/');
  const name = carousel(page).getByRole('heading');
  await expect(name).toBeVisible();
  await page.clock.pauseAt(Date.now() + 60_000);
  const first = await name.textContent();
  await page.clock.runFor(2800);
  await expect(name).toHaveText(first ?? '', SOON);
  await page.getByRole('button', { name: 'Start rotation' }).click();
  await page.mouse.move(0, 0);
  await page.clock.runFor(2800);
  await expect(name).not.toHaveText(first ?? '');
  await carousel(page).hover();
  const held = await name.textContent();
  await page.clock.runFor(2800);
  await expect(name).toHaveText(held ?? '', SOON);
});

test('a slim panel opened by keyboard gets the focus', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto('/');
  const slim = carousel(page)
    .getByRole('button', { name: /^Show / })
    .last();
  const name = (await slim.getAttribute('aria-label'))?.replace('Show ', '');
  await slim.focus();
  await page.keyboard.press('Enter');
  await expect(carousel(page).getByRole('heading', { name })).toBeVisible();
  await expect(carousel(page).getByRole('link', { name: 'View profile' })).toBeFocused();
});

test('it stays paused by the keyboard focus when the mouse leaves', async ({ page }) => {
  await openRotating(page);
  await page.getByRole('button', { name: 'Next' }).focus();
  await page.keyboard.press('Tab');
  const link = carousel(page).getByRole('link', { name: 'View profile' });
  const first = carousel(page).getByRole('button').first();
  await expect(link.or(first).and(page.locator(':focus'))).toHaveCount(1);
  const held = await carousel(page).getByRole('heading').textContent();
  await carousel(page).hover();
  await page.mouse.move(0, 0);
  await page.clock.runFor(2800);
  await expect(carousel(page).getByRole('heading')).toHaveText(held ?? '', SOON);
});

test.describe('on a touch screen', () => {
  test.use({ hasTouch: true, viewport: { width: 1180, height: 820 } });

  test('a tap does not stop it, even if it opens a panel', async ({ page }) => {
    await openRotating(page);
    const name = carousel(page).getByRole('heading');
    await carousel(page).getByRole('article').getByText('TikTok').tap();
    const shown = await name.textContent();
    await page.clock.runFor(2800);
    await expect(name).not.toHaveText(shown ?? '');
    const slim = carousel(page)
      .getByRole('button', { name: /^Show / })
      .last();
    const chosen = (await slim.getAttribute('aria-label'))?.replace('Show ', '') ?? '';
    await slim.tap();
    await expect(name).toHaveText(chosen);
    await page.clock.runFor(2800);
    await expect(name).not.toHaveText(chosen);
  });
});

// A phone gets pictures of its own size, not the ones that were uploaded.
import { expect } from '@playwright/test';
import { test } from './test';

test.use({ viewport: { width: 390, height: 844 } });

test('a phone downloads small pictures', async ({ page, request }) => {
  const whole: string[] = [];
  page.on('request', (asked) => {
    if (asked.url().includes('/storage/v1/object/public/')) whole.push(asked.url());
  });
  await page.goto('/search/influencers');
  const portrait = page.locator('article img').first();
  await expect.poll(() => portrait.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);

  const { chosen, stored } = await portrait.evaluate((image: HTMLImageElement) => ({
    chosen: image.currentSrc,
    stored: image.src,
  }));
  const address = new URL(chosen);
  expect(address.pathname).toContain('/storage/v1/render/image/public/images/');
  expect(Number(address.searchParams.get('width'))).toBeLessThanOrEqual(480);

  const [small, large] = await Promise.all([request.get(chosen), request.get(stored)]);
  expect(small.headers()['content-type']).toBe('image/webp');
  const [bytes, all] = [(await small.body()).length, (await large.body()).length];
  expect(bytes).toBeGreaterThan(0);
  expect(bytes).toBeLessThan(all / 2);
  expect(whole).toEqual([]);
});

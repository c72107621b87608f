// A phone downloads resized pictures, not the uploaded ones.
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

test('home gives high priority only to pictures in the first view', async ({ page }) => {
  for (const size of [
    { width: 390, height: 844 },
    { width: 1440, height: 900 },
  ]) {
    await page.setViewportSize(size);
    await page.goto('/');
    const carousel = page.getByRole('region', { name: 'Featured influencers' });
    await expect(carousel.getByRole('article').locator('img')).toHaveAttribute('loading', 'eager');
    const pictures = await page.locator('img').evaluateAll((images: HTMLImageElement[]) =>
      images.map((image) => {
        const { top, width } = image.getBoundingClientRect();
        const seen = width > 0 && top < window.innerHeight;
        return { src: image.src, high: image.fetchPriority === 'high', lazy: image.loading === 'lazy', seen };
      }),
    );
    expect(pictures.filter(({ high, seen }) => high && !seen)).toEqual([]);
    const hero = pictures.filter(({ src }) => src.endsWith('.svg') && !src.includes('strip'));
    expect(hero).toHaveLength(4);
    for (const portrait of hero) expect(portrait).toMatchObject({ lazy: false, seen: true });
  }
});

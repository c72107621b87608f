import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/** What moves has arrived: places and colours on the way are nobody's. What turns for ever is not waited for. */
export const still = (page: Page) =>
  page.evaluate(async () => {
    const moving = document
      .getAnimations()
      .filter(({ effect, playState }) => playState === 'running' && Number(effect?.getComputedTiming().endTime) < 1000);
    await Promise.allSettled(moving.map(({ finished }) => finished));
  });

/**
 * Nothing that would shut somebody out. All rules run: only what passes is not listed element by element, and no second
 * page is opened to put frames of other origins together, of which there are none. That takes a third of the time.
 */
export async function expectAccessible(page: Page) {
  await still(page);
  const axe = new AxeBuilder({ page }).options({ resultTypes: ['violations'] }).setLegacyMode();
  const { violations } = await axe.analyze();
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  expect(serious.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' | ')}`)).toEqual([]);
}

/** In both themes. */
export async function expectAccessibleInBoth(page: Page) {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await expectAccessible(page);
  }
}

/** Not wider than the window, at each of the widths. */
export async function expectNoSidewaysScroll(page: Page, widths: number[]) {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 844 });
    await expect
      .poll(() => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth), `${width}`)
      .toBeLessThanOrEqual(0);
  }
}

/** Letters twice as large and nothing else, as browsers do that enlarge text alone. */
export const enlargeText = (page: Page) =>
  page.evaluate(() => {
    const elements = [...document.querySelectorAll<HTMLElement>('body *:not([data-large])')];
    const sizes = elements.map((element) => Number.parseFloat(getComputedStyle(element).fontSize));
    for (const [index, element] of elements.entries()) {
      element.style.fontSize = `${(sizes[index] ?? 16) * 2}px`;
      element.style.lineHeight = '1.3';
      element.dataset.large = 'yes';
    }
  });

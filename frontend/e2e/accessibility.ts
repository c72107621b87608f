import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/**
 * Waits until nothing moves, because positions and colors during a transition belong to no design. A new theme or size
 * takes a frame to start its transitions. Animations longer than a second are not waited for.
 */
export const still = (page: Page) =>
  page.evaluate(async () => {
    const moving = () =>
      document
        .getAnimations()
        .filter(
          ({ effect, playState }) => playState === 'running' && Number(effect?.getComputedTiming().endTime) < 1000,
        );
    do {
      await Promise.allSettled(moving().map(({ finished }) => finished));
      await new Promise(requestAnimationFrame);
    } while (moving().length > 0);
  });

const OPTIONS = { resultTypes: ['violations' as const] };

type Violations = Awaited<ReturnType<AxeBuilder['analyze']>>['violations'];

/**
 * Runs all rules of axe. The builder injects axe at every run; later runs reuse the instance in the page. The page has
 * no frames of other origins, so the legacy mode, which opens no second page, finds the same.
 */
async function violationsOn(page: Page): Promise<Violations> {
  const again = await page.evaluate(async (options) => {
    const { axe } = window as { axe?: { run: (root: Node, options: object) => Promise<{ violations: Violations }> } };
    return axe && (await axe.run(document, options)).violations;
  }, OPTIONS);
  if (again) return again;
  return (await new AxeBuilder({ page }).options(OPTIONS).setLegacyMode().analyze()).violations;
}

/** Expects no serious or critical accessibility error. */
export async function expectAccessible(page: Page) {
  await still(page);
  const violations = await violationsOn(page);
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  expect(serious.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' | ')}`)).toEqual([]);
}

/** Checks both themes. */
export async function expectAccessibleInBoth(page: Page) {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await expectAccessible(page);
  }
}

/** Expects that the page is not wider than the window, at each of the widths. */
export async function expectNoSidewaysScroll(page: Page, widths: number[]) {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 844 });
    await expect
      .poll(() => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth), `${width}`)
      .toBeLessThanOrEqual(0);
  }
}

/** Doubles the font sizes and nothing else, like a browser's text-only zoom. */
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

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, type Frame, type Page } from '@playwright/test';
import type { AxeResults, RunOptions } from 'axe-core';

/**
 * Waits until nothing moves, because positions and colors during a transition belong to no design. A new theme or size
 * takes a frame or two to start its transitions. Animations longer than a second are not waited for.
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
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    } while (moving().length > 0);
  });

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Rule {
  id: string;
  impact: string;
  tags: string[];
}

interface WithAxe {
  axe?: { run(root: Node, options: RunOptions): Promise<AxeResults>; _audit: { rules: Rule[] } };
  /** The states of this page in which all rules found nothing: size, markup without the theme, theme. */
  passed?: { state: string; dark: boolean }[];
}

/**
 * Runs in the page: the serious and critical violations, or nothing if axe is not there yet. Rules of less impact are
 * left out, because their results would be dropped. If only the theme has changed since all rules passed, those about
 * colors run: screens.spec.ts checks that the style sheets change nothing else.
 */
async function seriousViolations() {
  const scope = window as WithAxe;
  if (!scope.axe) return;
  const { head, body } = document;
  const html = document.documentElement.cloneNode() as HTMLElement;
  const dark = html.classList.contains('dark');
  const classes = [...html.classList].filter((name) => name !== 'dark');
  html.removeAttribute('class');
  // Links that prefetch are added at any time, and bear on no rule.
  const parts = [...head.children].filter((part) => !part.matches('link:not([rel=stylesheet])'));
  const state = [innerWidth, innerHeight, ...classes, ...[html, ...parts, body].map((part) => part.outerHTML)].join(
    ' ',
  );
  scope.passed ??= [];
  const colorsOnly = scope.passed.some((one) => one.state === state && one.dark !== dark);

  const skipped = scope.axe._audit.rules.filter(
    ({ impact, tags }) => impact === 'minor' || impact === 'moderate' || (colorsOnly && !tags.includes('cat.color')),
  );
  const { violations } = await scope.axe.run(document, {
    resultTypes: ['violations'],
    selectors: false,
    rules: Object.fromEntries(skipped.map(({ id }) => [id, { enabled: false }])),
  });
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  if (serious.length === 0 && !colorsOnly) scope.passed.push({ state, dark });
  return serious.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' | ')}`);
}

/** Axe checks the frames that contain it. */
const injectAxe = (frame: Frame) => frame.evaluate(AXE);

/** Expects no serious or critical accessibility error. */
export async function expectAccessible(page: Page) {
  await still(page);
  let serious = await page.evaluate(seriousViolations);
  if (!serious) {
    await Promise.all(page.frames().map(injectAxe));
    serious = await page.evaluate(seriousViolations);
  }
  expect(serious).toEqual([]);
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

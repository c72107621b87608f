// Playwright's `test` whose `goto` and `reload` wait until the application has replaced the server-rendered page, which
// does not respond to input.
import { test as base, type Page } from '@playwright/test';

const PATIENCE = 20_000;

/** Without scripts the application never starts; such a test continues anyway. */
const drawn = (page: Page) =>
  page
    .locator('.shell')
    .waitFor({ state: 'detached', timeout: PATIENCE })
    .catch(() => {});

function patient(page: Page): Page {
  const { goto, reload } = page;
  page.goto = async (...target) => {
    const response = await goto.apply(page, target);
    await drawn(page);
    return response;
  };
  page.reload = async (...options) => {
    const response = await reload.apply(page, options);
    await drawn(page);
    return response;
  };
  return page;
}

export const test = base.extend({
  // Every page is created through the browser, including those of a test's own contexts.
  browser: [
    async ({ browser }, use) => {
      const { newContext } = browser;
      browser.newContext = async (options) => {
        const context = await newContext.call(browser, options);
        const { newPage } = context;
        if (options?.javaScriptEnabled !== false) context.newPage = async () => patient(await newPage.call(context));
        return context;
      };
      await use(browser);
    },
    { scope: 'worker' },
  ],
});

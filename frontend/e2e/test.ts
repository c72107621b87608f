// Playwright's `test`, with pages that are waited for: until the application has drawn its first page, what the server
// sent along is shown, and that hears no key.
import { test as base, type Page } from '@playwright/test';

const PATIENCE = 20_000;

/** A page whose scripts a test holds back never gets there; that test goes on without. */
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
  // All pages come from here, those of a test's own contexts too.
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

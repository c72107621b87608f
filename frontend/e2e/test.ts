// Playwright's `test`, with pages that are waited for: until the application has drawn its first page, what the server
// sent along is shown, and that hears no key.
import { test as base, type Page } from '@playwright/test';

const PATIENCE = 5_000;

/** A page whose scripts a test holds back never gets there; that test goes on without. */
const drawn = (page: Page) =>
  page
    .locator('.shell')
    .waitFor({ state: 'detached', timeout: PATIENCE })
    .catch(() => {});

export const test = base.extend({
  page: async ({ page, javaScriptEnabled }, use) => {
    if (javaScriptEnabled !== false) {
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
    }
    await use(page);
  },
});

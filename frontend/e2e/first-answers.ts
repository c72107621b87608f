// A page as the server sends it when the gateway is slow: without the first rows, which the application then requests.
// Tests that change, delay or reject the responses for lists need it.
import type { Page } from '@playwright/test';

export const BLOCK = /<script type="application\/json" id="first-answers">(.*?)<\/script>/s;

export async function withoutFirstAnswers(page: Page) {
  await page.route('**/*', async (route) => {
    if (route.request().resourceType() !== 'document') return route.fallback();
    const response = await route.fetch();
    return route.fulfill({ response, body: (await response.text()).replace(BLOCK, '') });
  });
}

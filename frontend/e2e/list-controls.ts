import { expect, type Locator, type Page } from '@playwright/test';

export const found = (page: Page, many: string) => page.getByText(new RegExp(`^Found \\d+ ${many}$`));

/** The options of a select. */
export async function optionsOf(page: Page, label: string): Promise<string[]> {
  await page.getByLabel(label, { exact: true }).click();
  const list = page.getByRole('listbox');
  await expect(list.getByRole('option').first()).toBeVisible();
  const options = await list.getByRole('option').allTextContents();
  await page.keyboard.press('Escape');
  await expect(list).toBeHidden();
  return options;
}

export async function choose(page: Page, label: string, option: string) {
  await page.getByLabel(label, { exact: true }).click();
  await page.getByRole('option', { name: option, exact: true }).click();
}

/** There are cards, and all are of this category. */
export const expectCategory = (list: Page | Locator, category: string) =>
  expect
    .poll(async () => [
      ...new Set(await list.locator('article [data-slot=card-picture] [data-slot=chip]').allTextContents()),
    ])
    .toEqual([category]);

/** The title of a panel that opens under the pointer. */
export const panelOf = (page: Page, name: string) => page.getByRole('button', { name: new RegExp(`^${name}`) });

/** Skips the pause before a failed request is retried. The page's clock must be installed. */
export const afterRetry = (page: Page, shown: Locator) =>
  expect(async () => {
    await page.clock.fastForward(1_000);
    await expect(shown).toBeVisible({ timeout: 250 });
  }).toPass({ intervals: [50] });

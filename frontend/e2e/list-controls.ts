import { expect, type Page } from '@playwright/test';

export const found = (page: Page, many: string) => page.getByText(new RegExp(`^Found \\d+ ${many}$`));

/** What a select offers. */
export async function optionsOf(page: Page, label: string): Promise<string[]> {
  await page.getByLabel(label, { exact: true }).click();
  await expect(page.getByRole('option').first()).toBeVisible();
  const options = await page.getByRole('option').allTextContents();
  await page.keyboard.press('Escape');
  return options;
}

export async function choose(page: Page, label: string, option: string) {
  await page.getByLabel(label, { exact: true }).click();
  await page.getByRole('option', { name: option, exact: true }).click();
}

/** The title of a panel that opens under the pointer. */
export const panelOf = (page: Page, name: string) => page.getByRole('button', { name: new RegExp(`^${name}`) });

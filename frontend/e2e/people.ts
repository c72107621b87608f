import { expect, type Page } from '@playwright/test';

/** The demo accounts' password. */
export const PASSWORD = 'serasi-demo';

export const demo = (name: string) => `${name}@demo.serasi.test`;

/** An address and a name that no other test uses. */
export function somebodyNew() {
  const mark = `${Date.now().toString(36)}${Math.floor(Math.random() * 1e6).toString(36)}`;
  return { email: `e2e-${mark}@example.test`, name: `Nadia Test ${mark}`, username: `nadia.${mark}` };
}

export async function signIn(page: Page, portal: string, email: string, password = PASSWORD) {
  await page.goto(portal);
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign In' }).click();
}

export async function signInAsAdmin(page: Page) {
  await signIn(page, '/admin/login', demo('admin'));
  await expect(page.getByText('Admin login successful')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Admin dashboard' })).toBeVisible();
}

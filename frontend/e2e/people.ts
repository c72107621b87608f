import type { Page } from '@playwright/test';

/** The demo accounts' password. */
export const PASSWORD = 'serasi-demo';

export const demo = (name: string) => `${name}@demo.serasi.test`;

/** Only consonants, so that no name contains a label that a test looks for ("Bio", "Age"). */
const inConsonants = (number: number) =>
  number.toString(20).replace(/./g, (digit) => 'bcdfghjklmnpqrstvwxz'.charAt(parseInt(digit, 20)));

/** An address and a name that no other test uses. */
export function somebodyNew() {
  const mark = `${inConsonants(Date.now())}${inConsonants(Math.floor(Math.random() * 1e6))}`;
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
  const patience = { timeout: 10_000 };
  await page.getByText('Admin login successful').waitFor(patience);
  await page.getByRole('heading', { name: 'Admin dashboard' }).waitFor(patience);
}

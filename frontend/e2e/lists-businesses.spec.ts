import { expect } from '@playwright/test';
import { choose, found, optionsOf } from './list-controls';
import { test } from './test';

for (const [path, title, label, types] of [
  ['/search/agencies', 'Search Agencies', 'Agency Type', ['Marketing', 'PR', 'Talent Search']],
  [
    '/search/vendors',
    'Search Vendors',
    'Vendor Type',
    ['Equipment', 'Services', 'Catering', 'Production', 'Technical'],
  ],
] as const) {
  const many = path.split('/')[2] ?? '';
  test(`${path} is searched by text, type and location, and reset`, async ({ page }) => {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
    await expect(found(page, many)).toBeVisible();
    const all = (await found(page, many).textContent()) ?? '';
    expect(await optionsOf(page, label)).toEqual(['All Types', ...types]);
    await choose(page, label, types[1]);
    await expect(page).toHaveURL(new RegExp(`type=${types[1]}`));
    await expect(found(page, many)).not.toHaveText(all);
    await page.getByLabel('Location').fill('kuching');
    await expect(page).toHaveURL(/location=kuching/);
    await page.getByRole('searchbox', { name: title }).fill('no such business');
    await expect(page.getByText(`No ${many} found matching your criteria.`)).toBeVisible();
    await expect(page.getByText(`Found 0 ${many}`)).toBeVisible();
    await page.getByRole('button', { name: 'Reset' }).click();
    await expect(page).toHaveURL(new RegExp(`${path}$`));
    await expect(page.getByText(all, { exact: true })).toBeVisible();
  });
}

test('one result is counted in the singular, and its card opens the agency', async ({ page }) => {
  await page.goto('/search/agencies?q=lumut');
  await expect(page.getByText('Found 1 agency', { exact: true })).toBeVisible();
  await page.getByRole('article').getByRole('link').click();
  await expect(page).toHaveURL(/\/agency\/[0-9a-f-]{36}$/);
});

test("a vendor's card links to the website and to a new e-mail", async ({ page }) => {
  await page.goto('/search/vendors');
  const cards = page.getByRole('article');
  await expect(cards.first()).toBeVisible();
  const withSite = cards.filter({ has: page.getByRole('link', { name: /^Website/ }) }).first();
  await expect(withSite.getByRole('link', { name: /^Website/ })).toHaveAttribute('target', '_blank');
  const contacts = await page.getByRole('link', { name: /^Contact/ }).all();
  expect(contacts.length).toBeGreaterThan(0);
  for (const contact of contacts) {
    expect(await contact.getAttribute('href')).toMatch(/^mailto:[^@]+@[^@]+$/);
  }
});

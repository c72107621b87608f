import { expect } from '@playwright/test';
import { choose, expectCategory, panelOf } from './list-controls';
import { test } from './test';

test.describe('/explore', () => {
  test('Search applies the filters and Reset clears them', async ({ page }) => {
    await page.goto('/explore');
    const count = page.getByRole('tab', { name: /^Influencers/ }).locator('[data-slot=count]');
    await expect(count).toHaveText(/^\d+$/);
    const all = Number(await count.textContent());
    await panelOf(page, 'Filters').focus();
    await choose(page, 'Industry', 'Food');
    await expect(page).toHaveURL(/\/explore$/);
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await expect(page).toHaveURL(/industry=Food&age=18-60$/);
    await expect(page.getByText('Profiles without an age are hidden while filters are applied.')).toBeVisible();
    await expect.poll(async () => Number(await count.textContent())).toBeLessThan(all);
    await expectCategory(page, 'Food');
    await expect(panelOf(page, 'Filters')).toBeFocused();
    await expect(panelOf(page, 'Filters')).toHaveAttribute('aria-expanded', 'false');

    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Reset' }).click();
    await expect(page).toHaveURL(/\/explore$/);
    await expect(count).toHaveText(String(all));
  });

  test('followers are compared on the chosen platform, in steps of 10,000', async ({ page }) => {
    await page.goto('/explore');
    await panelOf(page, 'Filters').focus();
    await expect(page.getByText('Instagram followers')).toBeVisible();
    await expect(page.getByText('0 – 10M')).toBeVisible();
    await page.getByRole('button', { name: 'YouTube' }).click();
    await page.getByRole('slider', { name: 'YouTube subscribers, least' }).press('ArrowRight');
    await expect(page.getByText('10K+')).toBeVisible();
    await page.getByRole('button', { name: 'YouTube' }).click();
    await expect(page.getByText('Choose a platform')).toBeVisible();
    await page.getByRole('button', { name: 'YouTube' }).click();
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await expect(page).toHaveURL(/platform=youtube&followers=10000-10000000/);
  });

  test('the three tabs share the search text, and each has its own empty message', async ({ page }) => {
    await page.goto('/explore?q=kuching');
    await expect(page.getByRole('tab', { name: /^Influencers/ })).toHaveAttribute('aria-selected', 'true');
    await page.getByRole('tab', { name: 'Agencies' }).click();
    await expect(page).toHaveURL(/tab=agencies/);
    await page.getByRole('tab', { name: 'Events' }).click();
    await expect(page.getByRole('article')).toHaveCount(1);
    await expect(page.getByRole('heading', { name: 'Batik Now: runway and market' })).toBeVisible();
    await page.getByRole('searchbox', { name: 'Search events' }).fill('nothing like it');
    await expect(page.getByText('No events found matching your criteria.')).toBeVisible();
    await page.getByRole('tab', { name: 'Agencies' }).click();
    await expect(page.getByText('No agencies found matching your criteria.')).toBeVisible();
    await page.getByRole('tab', { name: /^Influencers/ }).click();
    await expect(page.getByText('No influencers found matching your criteria.')).toBeVisible();
  });

  test('shows six events, and the category row filters them', async ({ page }) => {
    await page.goto('/explore?tab=events');
    await expect(page.getByRole('article')).toHaveCount(6);
    await expect(page.getByRole('button', { name: 'Load More' })).toBeHidden();
    await page.getByRole('tab', { name: 'Gaming' }).click();
    await expect(page.getByRole('article')).toHaveCount(1);
    await expect(page).toHaveURL(/category=Gaming/);
  });
});

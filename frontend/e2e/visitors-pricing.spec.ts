import { expect } from '@playwright/test';
import { signedIn, startSession } from './accounts';
import { demo } from './people';
import { test } from './test';

const PRICES = {
  Influencers: ['RM 200 / year', 'RM 400 / year', 'RM 800 / year'],
  Agencies: ['RM 200 / year', 'RM 1,000 / year', 'RM 2,500 / year'],
  Vendors: ['RM 200 / year'],
};

test('packages per kind of account, with their yearly prices', async ({ page }) => {
  await page.goto('/pricing');
  await expect(page.getByRole('heading', { level: 1, name: 'Choose Your Perfect Package' })).toBeVisible();
  for (const [audience, prices] of Object.entries(PRICES)) {
    await page.getByRole('tab', { name: audience }).click();
    const plans = page.getByRole('article');
    await expect(plans).toHaveCount(prices.length);
    for (const [index, price] of prices.entries()) {
      await expect(plans.nth(index)).toContainText(price);
      await expect(plans.nth(index).getByRole('link', { name: 'Get Started' })).toBeVisible();
    }
    await expect(page.getByText('Most Popular')).toHaveCount(prices.length > 1 ? 1 : 0);
  }
  await page.getByRole('tab', { name: 'Influencers' }).click();
  await expect(page.getByRole('article', { name: 'Gold' })).toContainText('Most Popular');
});

test('the arrow keys change the tab, and the URL keeps it', async ({ page }) => {
  await page.goto('/pricing?for=agencies');
  await expect(page.getByRole('tab', { name: 'Agencies' })).toHaveAttribute('aria-selected', 'true');
  await page.getByRole('tab', { name: 'Agencies' }).focus();
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('tab', { name: 'Vendors' })).toHaveAttribute('aria-selected', 'true');
  await expect(page).toHaveURL(/for=vendors$/);
});

test('Get Started opens the sign-up with the package', async ({ page }) => {
  await page.goto('/pricing');
  await page.getByRole('article', { name: 'Platinum' }).getByRole('link', { name: 'Get Started' }).click();
  await expect(page).toHaveURL(/\/auth\?tab=sign-up&package=platinum$/);
  await expect(page.getByRole('tab', { name: 'Sign Up' })).toHaveAttribute('aria-selected', 'true');
});

test('Get Started opens the dashboard for an account of that kind', async ({ page, request }) => {
  await startSession(page, await signedIn(request, demo('influencer')));
  await page.goto('/pricing');
  await expect(page.getByRole('link', { name: 'Dashboard' })).toBeVisible();
  const link = page.getByRole('article', { name: 'Blue' }).getByRole('link', { name: 'Get Started' });
  await expect(link).toHaveAttribute('href', '/dashboard');
  await page.getByRole('tab', { name: 'Agencies' }).click();
  await expect(link).toHaveAttribute('href', '/agency-auth?tab=sign-up&package=blue');
});

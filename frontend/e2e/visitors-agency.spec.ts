import { expect } from '@playwright/test';
import { expectAccessible } from './accessibility';
import { changeAsAdmin, newInfluencer, startSession, withRows } from './accounts';
import { withoutFirstAnswers } from './first-answers';
import { test } from './test';

const LUMUT = '/agency/5e7a0003-0000-4000-8000-000000000001';

test('an agency shows its name, gallery and contact details', async ({ page }) => {
  await page.goto(LUMUT);
  await expect(page.getByRole('heading', { level: 1, name: 'Lumut Studio' })).toBeVisible();
  await expect(page.getByText('Lumut Studio Sdn Bhd')).toBeVisible();
  await expect(page.getByText('Kota Bharu', { exact: true })).toBeVisible();
  for (const name of ['About the Agency', 'Gallery', 'Contact Information']) {
    await expect(page.getByRole('heading', { name })).toBeVisible();
  }
  await expect(page.getByRole('img', { name: 'Lumut Studio, picture 1 of 6' })).toBeVisible();
  const contact = page.getByRole('complementary', { name: 'Contact Information' });
  await expect(contact.getByRole('link', { name: 'halo@lumut.test' })).toHaveAttribute(
    'href',
    'mailto:halo@lumut.test',
  );
  await expect(contact.getByRole('link', { name: '09-555 0126' })).toHaveAttribute('href', 'tel:095550126');
  const website = contact.getByRole('link', { name: 'lumut.test', exact: true });
  await expect(website).toHaveAttribute('target', '_blank');
  await expect(website).toHaveAttribute('rel', /noopener/);
  const chat = contact.getByRole('link', { name: 'Contact via WhatsApp' });
  await expect(chat).toHaveAttribute('href', 'https://wa.me/6095550126');
  await expect(chat).toHaveAttribute('rel', /noopener/);
  await expect(page.getByRole('link', { name: 'Back to Agencies' })).toHaveAttribute('href', '/');
  await expect(page).toHaveTitle('Lumut Studio · Serasi');
});

test('missing details have a placeholder or are left out', async ({ page }) => {
  const nothing = { phone: null, website: null, description: null, gallery: [], logo_url: null, banner_url: null };
  await withRows(page, 'agencies', (row) => ({ ...row, ...nothing }));
  await page.goto(LUMUT);
  await expect(page.getByText('No additional information provided.')).toBeVisible();
  await expect(page.getByText('No gallery images available')).toBeVisible();
  await expect(page.getByRole('button', { name: 'No WhatsApp Available' })).toBeDisabled();
  await expect(page.getByRole('complementary').getByRole('link')).toHaveCount(1);
  await expect(page.getByText('L', { exact: true })).toBeVisible();
});

test('a missing agency and one that fails to load show Agency Not Found', async ({ page }) => {
  for (const id of ['00000000-0000-4000-8000-000000000000', 'no-id-at-all']) {
    await page.goto(`/agency/${id}`);
    await expect(page.getByRole('heading', { level: 1, name: 'Agency Not Found' })).toBeVisible();
    await expect(page.getByRole('link', { name: 'Return Home' })).toHaveAttribute('href', '/');
  }
  await withoutFirstAnswers(page);
  await page.route('**/rest/v1/agencies?*', (route) => route.fulfill({ status: 500, json: { message: 'no' } }));
  await page.goto(LUMUT);
  await expect(page.getByText('Failed to load agency profile')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Agency Not Found' })).toBeVisible();
});

test('an admin can close the page to one account', async ({ page, request }) => {
  const me = await newInfluencer(request);
  await changeAsAdmin(request, me.userId, { access_agencies_page: false });
  await startSession(page, me);
  await page.goto(LUMUT);
  await expect(page.getByRole('heading', { level: 1, name: 'This page is closed to your account' })).toBeVisible();
  await expect(page.getByText('An admin has turned off the Agencies page for you.')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Go to Dashboard' })).toHaveAttribute('href', '/dashboard');
  await expect(page.getByText('Lumut Studio')).toBeHidden();
  await expectAccessible(page);
  // The other pages are open.
  await page.goto('/search');
  await expect(page.getByRole('heading', { level: 1, name: 'Influencers' })).toBeVisible();
});

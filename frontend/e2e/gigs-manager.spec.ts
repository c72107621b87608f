// An agency's gigs, from creation to deletion, and who can see them.
import { expect, type Page } from '@playwright/test';
import { changeAsAdmin, newInfluencer, startSession } from './accounts';
import { asAdmin, type Business, newAgency, withRecord } from './businesses';
import { test } from './test';

async function openGigs(page: Page, business: Business) {
  await startSession(page, business);
  await page.goto('/agency-dashboard');
  await page.getByRole('tab', { name: 'Gigs' }).click();
}

const agencyWithRecord = async (request: Parameters<typeof newAgency>[0]) =>
  withRecord(request, 'agencies', await newAgency(request));

test('a gig is created, visible to an approved and verified influencer, edited and deleted', async ({
  page,
  browser,
  request,
}) => {
  const me = await agencyWithRecord(request);
  const title = `Hosts for ${me.name}`;
  await openGigs(page, me);
  await expect(page.getByRole('heading', { name: 'No gigs yet' })).toBeVisible();
  await page.getByRole('button', { name: 'Create Gig' }).click();
  const create = page.getByRole('dialog', { name: 'Create New Gig' });
  await expect(create.getByLabel('Title')).toBeFocused();
  await create.getByLabel('Title').fill(`  ${title} `);
  await create.getByLabel('Description').fill('  ');
  await create.getByRole('button', { name: 'Create Gig' }).click();
  await expect(create.getByText('Title and description are required')).toHaveCount(1);
  await expect(create.getByLabel('Description')).toBeFocused();
  await create.getByLabel('Description').fill('Two hosts for three days.');
  await create.getByLabel('Budget').fill('RM 1,500 per day');
  await create.getByLabel('Duration').fill('3 days');
  await create.getByLabel('Requirements').fill('Malay and Mandarin');
  await create.getByRole('button', { name: 'Create Gig' }).click();
  await expect(page.getByText('Gig created successfully!')).toBeVisible();
  await expect(create).toBeHidden();
  const row = page.getByRole('listitem').filter({ hasText: title });
  for (const text of ['RM 1,500 per day', '3 days', 'Malay and Mandarin']) await expect(row).toContainText(text);

  const influencer = await newInfluencer(request);
  await changeAsAdmin(request, influencer.userId, { approved: true, badge_type: 'blue' });
  const visitor = await browser.newPage();
  await startSession(visitor, influencer);
  await visitor.goto('/gigs');
  const card = visitor.getByRole('article').filter({ hasText: title });
  await expect(card).toBeVisible({ timeout: 30_000 });
  for (const text of [me.name, 'Two hosts for three days.', 'RM 1,500 per day', '3 days', 'Malay and Mandarin']) {
    await expect(card).toContainText(text);
  }

  await row.getByRole('button', { name: `Edit gig ${title}` }).click();
  const edit = page.getByRole('dialog', { name: 'Edit Gig' });
  await expect(edit.getByLabel('Requirements')).toHaveValue('Malay and Mandarin');
  await edit.getByLabel('Budget').fill('');
  await edit.getByRole('button', { name: 'Save Gig' }).click();
  await expect(page.getByText('Gig updated successfully!')).toBeVisible();
  await expect(row).not.toContainText('RM 1,500');
  await page.getByRole('button', { name: 'Create Gig' }).click();
  await expect(create.getByLabel('Title')).toHaveValue('');
  await create.getByRole('button', { name: 'Cancel' }).click();

  await row.getByRole('button', { name: `Delete gig ${title}` }).click();
  const question = page.getByRole('alertdialog', { name: 'Delete this gig?' });
  await expect(question.getByText("This can't be undone.")).toBeVisible();
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(row).toBeVisible();
  await row.getByRole('button', { name: `Delete gig ${title}` }).click();
  await question.getByRole('button', { name: 'Delete gig' }).click();
  await expect(page.getByText('Gig deleted successfully!')).toBeVisible();
  await expect(row).toBeHidden();
  await visitor.reload();
  await expect(visitor.getByRole('heading', { name: 'Available Gigs' })).toBeVisible();
  await expect(visitor.getByRole('article').first()).toBeVisible();
  await expect(card).toBeHidden();
  await visitor.close();
});

test('the newest gigs come first, one page at a time', async ({ page, request }) => {
  const me = await agencyWithRecord(request);
  const gigs = Array.from({ length: 25 }, (_, index) => ({
    agency_id: me.id,
    title: `Gig number ${index + 1}`,
    description: 'x',
  }));
  for (const data of gigs) {
    const answer = await request.post('/rest/v1/gigs', { headers: me.headers, data });
    expect(answer.status()).toBe(201);
  }
  await openGigs(page, me);
  const titles = page.getByRole('listitem').getByRole('heading', { level: 3 });
  await expect(titles).toHaveCount(24);
  await expect(titles.first()).toHaveText('Gig number 25');
  await page.getByRole('button', { name: 'Load More' }).click();
  await expect(titles).toHaveCount(25);
  await expect(titles.last()).toHaveText('Gig number 1');
  await expect(page.getByRole('button', { name: 'Load More' })).toBeHidden();
});

test('closing a half-typed gig asks first, and it survives a reload', async ({ page, request }) => {
  const me = await agencyWithRecord(request);
  await openGigs(page, me);
  await page.getByRole('button', { name: 'Create Gig' }).click();
  const dialog = page.getByRole('dialog', { name: 'Create New Gig' });
  await expect(dialog.getByLabel('Title')).toBeFocused();
  await dialog.getByLabel('Title').fill('Half typed');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Keep editing' }).click();
  await expect(dialog.getByLabel('Title')).toHaveValue('Half typed');
  await page.reload();
  await expect(dialog.getByLabel('Title')).toHaveValue('Half typed');
  // Only then does the dialog handle Escape.
  await expect(dialog.getByLabel('Title')).toBeFocused();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Close without saving' }).click();
  await expect(dialog).toBeHidden();
  await page.reload();
  await expect(page.getByRole('tab', { name: 'Basic Info' })).toHaveAttribute('aria-selected', 'true');
});

test('a gig or an agency profile that was deleted in the meantime is reported', async ({ page, request }) => {
  const me = await agencyWithRecord(request);
  const made = await request.post('/rest/v1/gigs', {
    headers: { ...me.headers, Prefer: 'return=representation' },
    data: { agency_id: me.id, title: 'Soon gone', description: 'x' },
  });
  const [gig] = await made.json();
  await openGigs(page, me);
  await page.getByRole('button', { name: 'Edit gig Soon gone' }).click();
  const edit = page.getByRole('dialog', { name: 'Edit Gig' });
  await edit.getByLabel('Budget').fill('RM 1');
  await request.delete(`/rest/v1/gigs?id=eq.${gig.id}`, { headers: me.headers });
  await edit.getByRole('button', { name: 'Save Gig' }).click();
  await expect(page.getByText('Failed to save gig')).toBeVisible();
  await edit.getByRole('button', { name: 'Cancel' }).click();

  await page.getByRole('button', { name: 'Create Gig' }).click();
  const create = page.getByRole('dialog', { name: 'Create New Gig' });
  await create.getByLabel('Title').fill('Without an agency');
  await create.getByLabel('Description').fill('x');
  await asAdmin(request, 'agencies', me.userId, 'delete');
  await create.getByRole('button', { name: 'Create Gig' }).click();
  await expect(page.getByText('Agency profile not found')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Complete Your Profile' })).toBeVisible();
  await expect(page.getByText('Please complete your agency profile first')).toBeVisible();
  await page.getByRole('button', { name: 'Go to Basic Info' }).click();
  await expect(page.getByRole('tab', { name: 'Basic Info' })).toHaveAttribute('aria-selected', 'true');
});

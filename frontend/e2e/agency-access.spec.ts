// Unsaved input of agencies and vendors, and pages that an admin has closed. src/components/portal-guard.test.tsx tests
// who may open the dashboards.
import { expect, type Page } from '@playwright/test';
import { startSession } from './accounts';
import { asAdmin, type Business, field, newAgency, newVendor, recordOf, save, withRecord } from './businesses';
import { signIn } from './people';
import { test } from './test';

const openDashboard = async (page: Page, business: Business, path: string) => {
  await startSession(page, business);
  await page.goto(path);
  await expect(page.getByRole('button', { name: 'Save Profile' })).toBeVisible();
};

test("a page that an admin has closed can't be opened, but the dashboard can", async ({ page, request }) => {
  const me = await withRecord(request, 'agencies', await newAgency(request));
  await asAdmin(request, 'agencies', me.userId, { access_agencies_page: false, access_gigs_page: false });
  await startSession(page, me);
  await page.goto('/search/agencies');
  await expect(page.getByRole('heading', { name: 'This page is closed to your account' })).toBeVisible();
  await expect(page.getByText('An admin has turned off the Agencies page for you.')).toBeVisible();
  await page.getByRole('link', { name: 'Go to Dashboard' }).click();
  await expect(page).toHaveURL(/\/agency-dashboard$/);
  await expect(page.getByRole('button', { name: 'Save Profile' })).toBeVisible();
  await page.getByRole('tab', { name: 'Gigs' }).click();
  await expect(page.getByText('An admin has turned off the Gigs page for you.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Create Gig' })).toBeHidden();
});

test('typed text survives a reload and the end of the session', async ({ page, context, request }) => {
  const me = await withRecord(request, 'agencies', await newAgency(request));
  await openDashboard(page, me, '/agency-dashboard');
  await field(page, 'Company name').fill('Typed, not saved');
  await page.reload();
  await expect(page.getByText('Your unsaved changes are back')).toBeVisible();
  await expect(field(page, 'Company name')).toHaveValue('Typed, not saved');

  const other = await context.newPage();
  await other.goto('/about-us');
  await other.getByRole('button', { name: 'Account menu' }).click();
  await other.getByRole('menuitem', { name: 'Logout' }).click();
  await page.bringToFront();
  await expect(page).toHaveURL(/\/agency-auth$/);
  await expect(page.getByText('Your changes are kept in this tab.')).toBeVisible();
  await other.close();
  await signIn(page, '/agency-auth', me.email);
  await expect(field(page, 'Company name')).toHaveValue('Typed, not saved');
  await save(page);
  await expect(page.getByText('Agency profile saved successfully!')).toBeVisible();
  expect((await recordOf(request, 'agencies', me)).company_name).toBe('Typed, not saved');
});

test('a save refreshes a token that has expired in the meantime', async ({ page, request }) => {
  const me = await withRecord(request, 'vendors', await newVendor(request));
  await openDashboard(page, me, '/vendor-dashboard');
  await field(page, 'Description').fill('After a long lunch');
  await page.evaluate(() => {
    const session = JSON.parse(localStorage.getItem('serasi-session') ?? '{}');
    localStorage.setItem('serasi-session', JSON.stringify({ ...session, access_token: 'gone', expires_at: 1 }));
  });
  await save(page);
  await expect(page.getByText('Vendor profile saved successfully!')).toBeVisible();
  expect((await recordOf(request, 'vendors', me)).description).toBe('After a long lunch');
});

test('two tabs: each keeps what the other saved, and asks about conflicting fields', async ({ context, request }) => {
  const me = await withRecord(request, 'agencies', await newAgency(request));
  const [one, two] = [await context.newPage(), await context.newPage()];
  await openDashboard(one, me, '/agency-dashboard');
  await openDashboard(two, me, '/agency-dashboard');
  // A tab in the background renders one frame per second.
  await one.bringToFront();
  await field(one, 'Company name').fill('From one');
  await save(one);
  await expect(one.getByText('Agency profile saved successfully!')).toBeVisible();
  await two.bringToFront();
  await field(two, 'Description').fill('From two');
  await save(two);
  await expect(two.getByText('Agency profile saved successfully!')).toBeVisible();
  await expect(field(two, 'Company name')).toHaveValue('From one');
  expect(await recordOf(request, 'agencies', me)).toMatchObject({ company_name: 'From one', description: 'From two' });

  await one.bringToFront();
  await field(one, 'Description').fill('One differs');
  await save(one);
  const question = one.getByRole('alertdialog', { name: 'Changed in another tab' });
  await expect(question.getByText('Description')).toBeVisible();
  expect((await recordOf(request, 'agencies', me)).description).toBe('From two');
  await question.getByRole('button', { name: 'Keep mine' }).click();
  await expect.poll(async () => (await recordOf(request, 'agencies', me)).description).toBe('One differs');

  await two.bringToFront();
  await field(two, 'Description').fill('Two differs');
  await save(two);
  await two.getByRole('button', { name: 'Use the saved version' }).click();
  await expect(field(two, 'Description')).toHaveValue('One differs');
});

test('saving for the first time in two tabs at once, with double clicks, creates one record', async ({
  context,
  request,
}) => {
  const me = await newVendor(request);
  const tabs = [await context.newPage(), await context.newPage()];
  for (const page of tabs) {
    await openDashboard(page, me, '/vendor-dashboard');
    await field(page, 'Name').fill(me.name);
    await page.getByRole('tab', { name: 'Contact & Details' }).click();
    await field(page, 'E-mail').fill(me.email);
  }
  await Promise.all(
    tabs.map(async (page) => {
      const button = page.getByRole('button', { name: 'Save Profile' });
      await button.evaluate((element: HTMLElement) => {
        element.click();
        element.click();
      });
      await expect(page.getByText('Vendor profile saved successfully!').first()).toBeVisible();
    }),
  );
  expect(await recordOf(request, 'vendors', me)).toMatchObject({ name: me.name, email: me.email });
});

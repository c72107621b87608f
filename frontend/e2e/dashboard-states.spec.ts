// Where a profile stands, who may come in, what others will see, and that everybody can use it.
import { expect, type Page } from '@playwright/test';
import { enlargeText, expectAccessible, still } from './accessibility';
import { changeAsAdmin, newInfluencer, signedIn, startSession } from './accounts';
import { dashboardOfSomebody, fillRequired, newAccount, opened, openTab, recordOf, save, saved } from './dashboard';
import { optionsOf } from './list-controls';
import { demo } from './people';
import { test } from './test';

const TABS = ['Basic Info', 'Social Media', 'Services', 'Content', 'Payment'];

test('welcome until the first save, pending until an admin approves, told once', async ({ page, request }) => {
  const me = await newAccount(request);
  await startSession(page, me);
  await page.goto('/dashboard');
  await opened(page);
  await expect(page.getByRole('heading', { name: 'Welcome to Serasi' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Pending Approval' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Copy profile link' })).toBeHidden();
  await fillRequired(page, me.name, me.username);
  await saved(page);
  await expect(page.getByRole('heading', { name: 'Welcome to Serasi' })).toBeHidden();
  await expect(page.getByText("you'll be notified once it is activated")).toBeVisible();

  await changeAsAdmin(request, me.userId, { approved: true });
  await page.reload();
  await opened(page);
  await expect(page.getByRole('heading', { name: 'Your profile is approved' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Pending Approval' })).toBeHidden();
  await expect(async () => {
    const answer = await request.get(`/rest/v1/notices?user_id=eq.${me.userId}`, { headers: me.headers });
    expect((await answer.json())[0].seen_at).not.toBeNull();
  }).toPass();
  await page.reload();
  await opened(page);
  await expect(page.getByRole('heading', { name: 'Selamat datang' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Your profile is approved' })).toBeHidden();
});

test('a page that an admin took away says so, and the dashboard stays', async ({ page, request }) => {
  const me = await newInfluencer(request);
  await changeAsAdmin(request, me.userId, { access_agencies_page: false });
  await startSession(page, me);
  await page.goto('/search/agencies');
  await expect(page.getByRole('heading', { name: 'This page is closed to your account' })).toBeVisible();
  await expect(page.getByText('An admin has turned off the Agencies page for you.')).toBeVisible();
  await page.getByRole('link', { name: 'Go to Dashboard' }).click();
  await opened(page);
});

test('somebody of another role is signed out, nobody is led to the sign-in', async ({ page, request }) => {
  await page.goto('/dashboard');
  await expect(page).toHaveURL(/\/auth$/);
  await startSession(page, await signedIn(request, demo('agency')));
  await page.goto('/dashboard');
  await expect(page.getByText('Access denied. This dashboard is for influencers only.')).toBeVisible();
  await expect(page).toHaveURL(/\/auth$/);
  expect(await page.evaluate(() => localStorage.getItem('serasi-session'))).toBeNull();
});

test('the preview shows what is there, and the link can be copied', async ({ page, context, request }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const me = await dashboardOfSomebody(page, request);
  await page.getByLabel('Location').fill('Ipoh');
  await page.getByLabel('Bio').fill('Tea and trains');
  await openTab(page, 'Social Media');
  await page.getByRole('switch', { name: 'TikTok' }).click();
  await page.getByLabel('Followers').fill('12K');
  await openTab(page, 'Services');
  await page.getByLabel('Title').fill('One video');
  await expect(page.getByRole('button', { name: 'Add service' })).toBeDisabled();
  await page.getByLabel('Description').fill('Within a week');
  await page.getByRole('button', { name: 'Add service' }).click();
  await page.getByRole('button', { name: 'Preview Profile' }).click();
  const preview = page.getByRole('dialog', { name: 'Preview Profile' });
  for (const text of [me.name, `@${me.username}`, 'Ipoh', 'Tea and trains', '12K followers', 'One video']) {
    await expect(preview.getByText(text)).toBeVisible();
  }
  await expectAccessible(page);
  await preview.getByRole('button', { name: 'Copy profile link' }).click();
  await expect(page.getByText('Link copied!')).toBeVisible();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(new URL(copied).pathname).toBe(`/profile/${me.profileId}`);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Remove service One video' }).click();
  await expect(page.getByRole('button', { name: 'Remove service One video' })).toBeHidden();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByRole('button', { name: 'Remove service One video' })).toBeVisible();
});

test('every list offers what it should', async ({ page, request }) => {
  await dashboardOfSomebody(page, request);
  expect(await optionsOf(page, 'Category')).toEqual(['Fashion', 'Tech', 'Gaming', 'Lifestyle', 'Beauty', 'Travel']);
  expect(await optionsOf(page, 'Ethnicity')).toHaveLength(34);
  expect(await optionsOf(page, 'Religion')).toHaveLength(10);
  expect(await optionsOf(page, 'Language')).toHaveLength(12);
});

test('payment shows the fields of its method, and what is hidden refuses nothing', async ({ page, request }) => {
  const me = await dashboardOfSomebody(page, request);
  await openTab(page, 'Payment');
  const [bank, paypal] = [page.getByLabel('Bank name'), page.getByLabel('PayPal e-mail')];
  await expect(bank).toBeVisible();
  await expect(paypal).toBeHidden();
  await page.getByText('Both').click();
  await expect(bank).toBeVisible();
  await paypal.fill('not an address');
  await openTab(page, 'Basic Info');
  await save(page);
  await expect(page.getByText('Invalid email address').first()).toBeVisible();
  await expect(paypal).toBeFocused();
  await page.getByText('Bank Transfer').click();
  await expect(paypal).toBeHidden();
  await bank.fill('Bank Rakyat');
  await saved(page);
  expect((await recordOf(request, me)).payment_info).toMatchObject({
    payment_method: 'bank',
    bank_name: 'Bank Rakyat',
  });
});

test('everything can be done without a mouse', async ({ page, request }) => {
  const me = await newAccount(request);
  await startSession(page, me);
  await page.goto('/dashboard');
  await opened(page);
  const reach = async (name: RegExp) => {
    for (let presses = 0; presses < 60; presses++) {
      const focused = page.locator(':focus');
      if ((await focused.count()) > 0) {
        const said = await focused.evaluate((element) => {
          const labels = (element as HTMLInputElement).labels;
          return element.getAttribute('aria-label') ?? labels?.[0]?.textContent ?? element.textContent ?? '';
        });
        if (name.test(said)) return;
      }
      await page.keyboard.press('Tab');
    }
    throw new Error(`${name} can't be reached`);
  };
  await reach(/^Name/);
  await page.keyboard.type(me.name);
  await reach(/^Username/);
  await page.keyboard.type(me.username);
  await reach(/^Category/);
  await page.keyboard.press('Enter');
  await expect(page.locator('[role=listbox]:focus-within')).toBeVisible();
  await page.keyboard.type('Tech');
  await expect(page.getByRole('option', { name: 'Tech' })).toBeFocused();
  await page.keyboard.press('Enter');
  await reach(/^Save Profile/);
  await page.keyboard.press('Enter');
  await expect(page.getByText('Profile saved successfully!')).toBeVisible();
  expect(await recordOf(request, me)).toMatchObject({ name: me.name, category: 'Tech' });
  await page.getByRole('tab', { name: 'Basic Info' }).focus();
  for (const tab of TABS.slice(1)) {
    await page.keyboard.press('ArrowDown');
    await expect(page.getByRole('heading', { name: tab })).toBeVisible();
  }
});

const overflow = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);

for (const [width, text] of [
  [320, '100 %'],
  [360, '100 %'],
  [640, '200 %'],
] as const) {
  test(`${width} pixels are enough for text of ${text}`, async ({ page, request }) => {
    // Seven looks at the whole page take their time.
    test.slow();
    await page.setViewportSize({ width, height: 740 });
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await dashboardOfSomebody(page, request);
    for (const tab of TABS) {
      await openTab(page, tab);
      await expect(page.getByRole('heading', { name: tab })).toBeVisible();
      if (text === '200 %') await enlargeText(page);
      await expect.poll(() => overflow(page), tab).toBeLessThanOrEqual(0);
      await expectAccessible(page);
    }
    await openTab(page, 'Basic Info');
    await page.locator('input[type=file][aria-label="Change photo"]').setInputFiles('e2e/fixtures/portrait.jpg');
    const dialog = page.getByRole('dialog', { name: 'Reposition photo' });
    const apply = dialog.getByRole('button', { name: 'Apply' });
    await expect(apply).toBeInViewport();
    await expectAccessible(page);
    await apply.click();
    await page.getByRole('button', { name: 'Preview Profile' }).click();
    await expect(page.getByRole('dialog', { name: 'Preview Profile' })).toBeVisible();
    await expect.poll(() => overflow(page)).toBeLessThanOrEqual(0);
  });
}

test('on a phone no toast lies on the lowest button', async ({ page, request }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await dashboardOfSomebody(page, request);
  await page.getByLabel('Bio').fill('Not saved');
  await saved(page);
  const free = async (name: string) => {
    const box = await page.getByRole('button', { name, exact: true }).boundingBox();
    if (!box) throw new Error(`no ${name}`);
    const top = await page.evaluate(
      ([x, y]) => document.elementFromPoint(x ?? 0, y ?? 0)?.closest('button, [data-sonner-toast]')?.textContent,
      [box.x + box.width / 2, box.y + box.height / 2],
    );
    expect(top).toBe(name);
  };
  await expect(page.locator('[data-sonner-toast]')).toHaveAttribute('data-mounted', 'true');
  await still(page);
  await free('Save Profile');
  await page.getByLabel('Bio').fill('Again');
  await page.getByRole('link', { name: 'Main Page' }).click();
  await expect(page.getByRole('alertdialog')).toBeVisible();
  await page.waitForTimeout(500);
  await still(page);
  for (const name of ['Leave without saving', 'Stay', 'Save and leave']) await free(name);
});

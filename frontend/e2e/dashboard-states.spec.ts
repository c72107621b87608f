// The states of a profile, its preview, and the accessibility of the form.
import { expect, type Locator } from '@playwright/test';
import { enlargeText, expectAccessible, expectAccessibleInBoth, expectNoSidewaysScroll, still } from './accessibility';
import { changeAsAdmin, startSession } from './accounts';
import { dashboardOfSomebody, fillRequired, newAccount, opened, openTab, recordOf, saved } from './dashboard';
import { test } from './test';

const TABS = ['Basic Info', 'Social Media', 'Services', 'Content', 'Payment'];

test('shows a welcome until the first save, pending until the approval, and the approval once', async ({
  page,
  request,
}) => {
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

test('the preview shows the current input, and the link can be copied', async ({ page, context, request }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const me = await dashboardOfSomebody(page, request);
  await page.getByRole('button', { name: 'Say where you live' }).click();
  await expect(page.getByLabel('Location')).toBeFocused();
  await page.keyboard.type('Ipoh');
  await expect(page.getByRole('button', { name: 'Say where you live' })).toBeHidden();
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

test('the form can be used without a mouse', async ({ page, request }) => {
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

test('the dashboard is accessible in both themes, on small screens and with large text', async ({ page, request }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await dashboardOfSomebody(page, request);
  const inTab = async (name: string) => {
    await openTab(page, name);
    await expect(page.getByRole('heading', { name })).toBeVisible();
  };
  for (const tab of TABS) {
    await page.setViewportSize({ width: 1440, height: 900 });
    await inTab(tab);
    await expectAccessibleInBoth(page);
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
    await expectNoSidewaysScroll(page, [360, 320]);
    await expectAccessible(page);
  }
  await inTab('Basic Info');
  await page.locator('input[type=file][aria-label="Change photo"]').setInputFiles('e2e/fixtures/portrait.jpg');
  const apply = page.getByRole('dialog', { name: 'Reposition photo' }).getByRole('button', { name: 'Apply' });
  for (const width of [640, 360, 320]) {
    await page.setViewportSize({ width, height: 740 });
    await expect(apply).toBeInViewport();
  }
  await expectAccessible(page);
  await apply.click();
  await page.getByRole('button', { name: 'Preview Profile' }).click();
  const preview = page.getByRole('dialog', { name: 'Preview Profile' });
  await expect(preview).toBeVisible();
  await expectNoSidewaysScroll(page, [360, 320]);
  await page.keyboard.press('Escape');
  await expect(preview).toBeHidden();

  // Last, because large text can't be undone.
  await page.setViewportSize({ width: 640, height: 740 });
  for (const tab of TABS) {
    await inTab(tab);
    await enlargeText(page);
    await expectNoSidewaysScroll(page, [640]);
    await expectAccessible(page);
  }
});

test('on a phone the meter leads to what is missing, and no toast covers the lowest button', async ({
  page,
  request,
}) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await dashboardOfSomebody(page, request);
  // The list of what is missing starts closed, so that Save stays in view.
  const missing = page.getByRole('button', { name: 'Offer a service' });
  await expect(missing).toBeHidden();
  await expect(page.getByRole('button', { name: 'Save Profile' })).toBeInViewport({ ratio: 1 });
  await page.getByRole('button', { name: 'Show what is missing' }).click();
  await expectNoSidewaysScroll(page, [320, 360]);
  await expectAccessibleInBoth(page);
  await missing.click();
  await expect(page.getByLabel('Title')).toBeFocused();
  await expect(page.getByLabel('Title')).toBeInViewport({ ratio: 1 });
  expect(await coveredBy(page.getByLabel('Title'), page.locator('[data-slot=save-bar]'))).toBe(false);
  await openTab(page, 'Basic Info');
  await page.setViewportSize({ width: 360, height: 740 });
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
  await expect(page.locator('[data-sonner-toaster]')).toHaveAttribute('data-y-position', 'top');
  await still(page);
  for (const name of ['Leave without saving', 'Stay', 'Save and leave']) await free(name);
});

/** Whether any of the others overlaps the element on the screen. */
async function coveredBy(element: Locator, others: Locator): Promise<boolean> {
  const box = await element.boundingBox();
  if (!box) throw new Error('not on the screen');
  return others.evaluateAll(
    (parts, { x, y, width, height }) =>
      parts.some((part) => {
        const { left, right, top, bottom } = part.getBoundingClientRect();
        return left < x + width && right > x && top < y + height && bottom > y;
      }),
    box,
  );
}

test('on a wide screen neither a toast nor the save bar covers Save or the field in use', async ({ page, request }) => {
  await dashboardOfSomebody(page, request);
  const bar = page.locator('[data-slot=save-bar]');
  const toasts = page.locator('[data-sonner-toast][data-visible=true]');
  const expectUncovered = async (field: Locator, text: string) => {
    await expect(field).toBeFocused();
    await expect(toasts.filter({ hasText: text }).first()).toHaveAttribute('data-mounted', 'true');
    await still(page);
    const at = `${page.viewportSize()?.width}`;
    expect(await coveredBy(field, bar), at).toBe(false);
    expect(await coveredBy(field, toasts), at).toBe(false);
    expect(await coveredBy(bar, toasts), at).toBe(false);
  };
  const born = page.getByRole('textbox', { name: 'Date of birth' });
  // In the right column, scrolled to as low as the save bar allows.
  const lowest = page.getByRole('textbox', { name: 'Height' });
  for (const width of [1024, 1440, 1920]) {
    await page.setViewportSize({ width, height: 800 });
    // The field that a rejected save focuses is scrolled to above the save bar.
    await page.evaluate(() => window.scrollTo(0, 0));
    await born.fill('31 Feb 2001');
    await page.getByRole('textbox', { name: 'Name', exact: true }).focus();
    await page.getByRole('button', { name: 'Save Profile' }).click();
    await expectUncovered(born, 'Enter a date such as');

    await born.fill('14 Mar 1999');
    await lowest.focus();
    await page.evaluate(
      ([field, below]) => {
        if (field && below) {
          window.scrollBy(0, field.getBoundingClientRect().bottom + 4 - below.getBoundingClientRect().top);
        }
      },
      [await lowest.elementHandle(), await bar.elementHandle()],
    );
    await lowest.fill(`${width} mm`);
    await lowest.press('Enter');
    await expectUncovered(lowest, 'Profile saved successfully!');
  }
});

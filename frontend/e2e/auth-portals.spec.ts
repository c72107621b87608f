// The four sign-in pages in the browser. src/features/auth/portal-page.test.tsx tests their rules, rejections and
// texts.
import { expect } from '@playwright/test';
import { expectAccessible, expectAccessibleInBoth, expectNoSidewaysScroll } from './accessibility';
import { demo, signIn } from './people';
import { test } from './test';

for (const [role, path, dashboard, texts] of [
  ['agency', '/agency-auth', '/agency-dashboard', ['Signed in successfully!']],
  ['vendor', '/vendor-auth', '/vendor-dashboard', ['Welcome back!', 'You have successfully signed in']],
  ['admin', '/admin/login', '/admin', ['Welcome back!', 'Admin login successful']],
] as const) {
  test(`the ${role} signs in`, async ({ page }) => {
    await signIn(page, path, demo(role));
    const toast = page.locator('[data-sonner-toast]').first();
    for (const text of texts) await expect(toast).toContainText(text);
    await expect(page).toHaveURL(new RegExp(`${dashboard}$`));
  });
}

test('the sign-in pages are accessible in both themes, on desktops and phones', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  for (const path of ['/auth', '/agency-auth', '/vendor-auth', '/admin/login']) {
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto(path);
    await page.getByRole('button', { name: 'Sign In' }).click();
    await expect(page.locator('[aria-invalid=true]')).toHaveCount(1);
    await expectAccessibleInBoth(page);
    // Colors do not depend on the width.
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
    await expectNoSidewaysScroll(page, [360]);
    await expectAccessible(page);
  }
});

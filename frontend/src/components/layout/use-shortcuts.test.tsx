import { screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { serve } from '@/testing/backend';
import { button, byRole, openApp, user } from '@/testing/render';

it('? lists the shortcuts, except while typing; the footer does, too', async () => {
  serve({});
  await openApp('/help-center');
  const opener = button('Keyboard shortcuts');
  await user.click(byRole('searchbox', 'Search influencers'));
  await user.keyboard('?');
  expect(byRole('searchbox', 'Search influencers')).toHaveValue('?');
  opener.focus();
  await user.keyboard('?');
  expect(await screen.findByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await waitFor(() => expect(opener).toHaveFocus());
  await user.click(opener);
  expect(await screen.findByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
});

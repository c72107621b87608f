import { screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { serve } from '@/testing/backend';
import { openPart, user } from '@/testing/render';
import { Header } from './header';

it('the phone menu is a dialog that keeps the focus, and returns it when Escape closes it', async () => {
  serve({});
  openPart(<Header favorites={null} />);
  const opener = screen.getByRole('button', { name: 'Menu' });
  await user.click(opener);
  const menu = await screen.findByRole('dialog', { name: 'Menu' });
  await waitFor(() => expect(screen.getByRole('button', { name: 'Close menu' })).toHaveFocus());
  // One more Tab than there are controls: the focus goes round.
  for (let presses = 0; presses <= menu.querySelectorAll('a, button, input').length; presses += 1) {
    await user.tab();
    expect(menu.contains(document.activeElement)).toBe(true);
  }
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await waitFor(() => expect(opener).toHaveFocus());
});

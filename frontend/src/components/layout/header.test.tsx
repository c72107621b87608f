import { screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { accountAnswers, SOMEBODY, serve, sessionOf } from '@/testing/backend';
import { byRole, openPart, user } from '@/testing/render';
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

it.each([
  ['influencer', ['Enquiries', 'Applications', 'Collaborations', 'Security']],
  ['agency', ['Enquiries', 'Collaborations', 'Security']],
])('both menus lead to the pages of an account with the role %s', async (role, names) => {
  const account = { ...SOMEBODY, roles: [role] };
  serve(accountAnswers(account));
  openPart(<Header favorites={null} />, sessionOf(account));
  await user.click(byRole('button', 'Account menu'));
  await screen.findByRole('menuitem', { name: 'Logout', hidden: true });
  const items = () => screen.getAllByRole('menuitem', { hidden: true }).map(({ textContent }) => textContent);
  await waitFor(() => expect(items()).toEqual([...names, 'Logout']));
  expect(byRole('menuitem', 'Enquiries')).toHaveAttribute('href', '/enquiries');
  await user.keyboard('{Escape}');
  await user.click(byRole('button', 'Menu'));
  const menu = await screen.findByRole('dialog', { name: 'Menu' });
  await waitFor(() => {
    const links = [...menu.querySelectorAll('a')].map(({ textContent }) => textContent);
    expect(links.slice(-names.length)).toEqual(names);
  });
});

import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { useShortcuts } from './use-shortcuts';

function Page({ act, on = true, asking = false }: { act: () => void; on?: boolean; asking?: boolean }) {
  useShortcuts(on, { a: act });
  return (
    <>
      <input aria-label="Search" />
      <input type="checkbox" aria-label="Select" />
      <button type="button" role="combobox" aria-label="Sort" aria-expanded="false" aria-controls="x" />
      {asking ? <div role="alertdialog">Sure?</div> : null}
    </>
  );
}

it('handles a key on the page and on a checkbox', async () => {
  const act = vi.fn();
  render(<Page act={act} />);
  await userEvent.keyboard('a');
  screen.getByRole('checkbox').focus();
  await userEvent.keyboard('a');
  expect(act).toHaveBeenCalledTimes(2);
});

it.each(['textbox', 'combobox'])('ignores keys in a %s', async (role) => {
  const act = vi.fn();
  render(<Page act={act} />);
  screen.getByRole(role).focus();
  await userEvent.keyboard('a');
  expect(act).not.toHaveBeenCalled();
});

it('ignores keys with Ctrl, behind a dialog, and when switched off', async () => {
  const act = vi.fn();
  const { rerender } = render(<Page act={act} />);
  await userEvent.keyboard('{Control>}a{/Control}');
  rerender(<Page act={act} asking />);
  await userEvent.keyboard('a');
  rerender(<Page act={act} on={false} />);
  await userEvent.keyboard('a');
  expect(act).not.toHaveBeenCalled();
});

import { render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { user } from '@/testing/render';
import { watchKeyboard } from './keyboard';

it('marks the page after a key that moves the focus, not after typing or a click', async () => {
  render(
    <>
      <input />
      <button type="button">Save</button>
    </>,
  );
  const [field, save] = [screen.getByRole('textbox'), screen.getByRole('button')];
  const marked = () => document.documentElement.hasAttribute('data-keyboard');
  watchKeyboard();
  await user.click(field);
  await user.keyboard('a b{ArrowLeft}');
  expect(marked(), 'typing').toBe(false);
  await user.tab();
  expect(marked(), 'Tab').toBe(true);
  await user.click(save);
  expect(marked(), 'a click').toBe(false);
  await user.keyboard('{ArrowDown}');
  expect(marked(), 'an arrow key on a button').toBe(true);
  await user.click(field);
  await user.keyboard('{Enter}');
  expect(marked(), 'Enter in a field').toBe(true);
});

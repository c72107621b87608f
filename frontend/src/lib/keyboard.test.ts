import { expect, it } from 'vitest';
import { user } from '@/testing/render';
import { watchKeyboard } from './keyboard';

it('marks the page after a key that moves the focus, not after typing or a click', async () => {
  document.body.innerHTML = '<input><button>Save</button>';
  const [field, save] = [document.querySelector('input'), document.querySelector('button')];
  const marked = () => document.documentElement.hasAttribute('data-keyboard');
  watchKeyboard();
  if (!field || !save) throw new Error('nothing rendered');
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

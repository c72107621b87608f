import { cleanup, createEvent, fireEvent, render, screen, within } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { user } from '@/testing/render';
import { PictureGrid } from './picture-grid';

afterEach(cleanup);

const pictures = ['one', 'two', 'three'].map((word) => ({ url: `/pictures/${word}.webp`, alt: `Picture ${word}` }));

async function open(name: string) {
  render(<PictureGrid className="" title="Work by Aisyah" pictures={pictures} />);
  await user.click(screen.getByRole('button', { name }));
  return await screen.findByRole('dialog', { name: 'Work by Aisyah' });
}

const seen = (dialog: HTMLElement) => within(dialog).getByRole('img').getAttribute('alt');

test('a picture opens in the lightbox, with its place among the others', async () => {
  const dialog = await open('Picture two');
  expect(seen(dialog)).toBe('Picture two');
  expect(dialog.textContent).toContain('2 of 3');
});

test('arrow keys, Home and End change the picture; after the last comes the first', async () => {
  const dialog = await open('Picture two');
  for (const [key, alt] of [
    ['{ArrowRight}', 'Picture three'],
    ['{ArrowRight}', 'Picture one'],
    ['{ArrowLeft}', 'Picture three'],
    ['{Home}', 'Picture one'],
    ['{End}', 'Picture three'],
  ] as const) {
    await user.keyboard(key);
    expect(seen(dialog)).toBe(alt);
  }
});

test('Alt and an arrow key stay with the browser, which goes back', async () => {
  const dialog = await open('Picture two');
  const back = createEvent.keyDown(dialog, { key: 'ArrowLeft', altKey: true });
  fireEvent(dialog, back);
  expect(back.defaultPrevented).toBe(false);
  expect(seen(dialog)).toBe('Picture two');
});

test('a swipe to the left shows the next picture, one to the right the previous', async () => {
  const dialog = await open('Picture two');
  const swipe = (from: number, to: number) => {
    const picture = within(dialog).getByRole('img');
    const finger = { clientX: from, clientY: 300 };
    fireEvent.touchStart(picture, { touches: [finger], changedTouches: [finger] });
    fireEvent.touchEnd(picture, { changedTouches: [{ clientX: to, clientY: 310 }] });
  };
  swipe(300, 100);
  expect(seen(dialog)).toBe('Picture three');
  swipe(100, 300);
  expect(seen(dialog)).toBe('Picture two');
});

test('the buttons change the picture', async () => {
  const dialog = await open('Picture one');
  await user.click(within(dialog).getByRole('button', { name: 'Next picture' }));
  expect(seen(dialog)).toBe('Picture two');
  await user.click(within(dialog).getByRole('button', { name: 'Previous picture' }));
  expect(seen(dialog)).toBe('Picture one');
});

test('Escape closes it, and the focus is on the picture that was seen last', async () => {
  await open('Picture one');
  await user.keyboard('{ArrowRight}{Escape}');
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Picture two' }));
});

test('a single picture has no buttons to others', async () => {
  render(<PictureGrid className="" title="Gallery" pictures={pictures.slice(0, 1)} />);
  await user.click(screen.getByRole('button'));
  const dialog = await screen.findByRole('dialog');
  expect(within(dialog).queryByRole('button', { name: 'Next picture' })).toBeNull();
  expect(dialog.textContent).toContain('1 of 1');
});

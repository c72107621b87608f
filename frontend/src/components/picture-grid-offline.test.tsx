import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { PictureGrid } from './picture-grid';

const { error } = vi.hoisted(() => ({ error: vi.fn() }));
vi.mock('@/lib/toast', () => ({ toast: { error } }));
vi.mock('./lightbox', () => {
  throw new TypeError('Failed to fetch dynamically imported module');
});

afterEach(cleanup);

test("the page stays if the lightbox can't be loaded, and a toast says what to do", async () => {
  render(<PictureGrid className="" title="Gallery" pictures={[{ url: '/one.webp', alt: 'Picture one' }]} />);
  fireEvent.click(screen.getByRole('button', { name: 'Picture one' }));
  await vi.waitFor(() =>
    expect(error).toHaveBeenCalledWith("The picture didn't open", {
      description: 'Check your connection and try again.',
    }),
  );
  expect(screen.getByRole('button', { name: 'Picture one' })).toBeTruthy();
});

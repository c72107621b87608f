import { fireEvent, render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { Picture } from './picture';

const OURS = 'https://serasi.test/storage/v1/object/public/images/7/cover-1.webp';

function picture(src: string | null, eager?: boolean) {
  return <Picture src={src} alt="Cover" width={300} height={200} eager={eager} fallback={<p>No picture</p>} />;
}

it('offers an uploaded picture in several widths', () => {
  render(picture(OURS));
  const image = screen.getByRole('img', { name: 'Cover' });
  expect(image).toHaveAttribute('src', '/storage/v1/object/public/images/7/cover-1.webp');
  expect(image).toHaveAttribute('sizes', 'auto, min(100vw, 300px)');
  const offered = image.getAttribute('srcset')?.split(', ') ?? [];
  expect(offered).toHaveLength(6);
  expect(offered[0]).toBe('/storage/v1/render/image/public/images/7/cover-1.webp?width=160&format=webp 160w');
  expect(offered.at(-1)).toMatch(/width=1280&format=webp 1280w$/);
});

it("an eager picture doesn't wait for layout to choose a width", () => {
  render(picture(OURS, true));
  expect(screen.getByRole('img')).toHaveAttribute('sizes', 'min(100vw, 300px)');
});

it('only eager pictures get high fetch priority', () => {
  const { rerender } = render(picture(OURS, true));
  expect(screen.getByRole('img')).toHaveAttribute('fetchpriority', 'high');
  rerender(<Picture src={OURS} alt="Cover" width={300} height={200} next fallback={null} />);
  expect(screen.getByRole('img')).toHaveAttribute('fetchpriority', 'auto');
  expect(screen.getByRole('img')).toHaveAttribute('loading', 'eager');
  rerender(picture(OURS));
  expect(screen.getByRole('img')).toHaveAttribute('loading', 'lazy');
});

it('shows external and not yet uploaded pictures unchanged', () => {
  const { rerender } = render(picture('https://elsewhere.test/a.jpg'));
  expect(screen.getByRole('img')).not.toHaveAttribute('srcset');
  rerender(picture('blob:https://serasi.test/1'));
  expect(screen.getByRole('img')).not.toHaveAttribute('srcset');
});

it('falls back to the original, then to the fallback', () => {
  const { rerender } = render(picture(OURS));
  fireEvent.error(screen.getByRole('img'));
  expect(screen.getByRole('img')).not.toHaveAttribute('srcset');
  expect(screen.getByRole('img')).toHaveAttribute('src', '/storage/v1/object/public/images/7/cover-1.webp');
  fireEvent.error(screen.getByRole('img'));
  expect(screen.getByText('No picture')).toBeInTheDocument();

  rerender(picture(OURS.replace('cover-1', 'cover-2')));
  expect(screen.getByRole('img').getAttribute('srcset')).toContain('cover-2');
});

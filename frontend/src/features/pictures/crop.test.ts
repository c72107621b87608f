import { describe, expect, it } from 'vitest';
import { centred, crop, moved, SHAPES } from './crop';

describe('cropping a picture', () => {
  const wide = { naturalWidth: 4000, naturalHeight: 500 };

  it('shows the largest centered area that fits', () => {
    expect(crop(centred, wide, SHAPES.cover)).toEqual({ x: 1000, y: 0, width: 2000, height: 500 });
  });

  it('shows less when zoomed in, and stays inside the picture', () => {
    expect(crop({ ...centred, zoom: 2 }, wide, SHAPES.cover).width).toBe(1000);
    const far = moved({ ...centred, zoom: 2 }, wide, SHAPES.cover, -99, -99);
    expect(crop(far, wide, SHAPES.cover)).toEqual({ x: 3000, y: 250, width: 1000, height: 250 });
  });
});
